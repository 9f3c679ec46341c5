# Two commands: `make run` serves on port 8080, `make test` runs every test.
# Both install what is missing (Debian 12, a Swift 6 toolchain).

PACKAGES = libmicrohttpd-dev libsimdjson-dev pkg-config
SUDO = $(if $(filter 0,$(shell id -u)),,sudo)
RUN_ARGUMENTS ?=

.PHONY: run test build packages format lint clean

run: build
	exec .build/release/layoutd $(RUN_ARGUMENTS)

test: packages lint
	swift test

build: packages
	swift build -c release --product layoutd

packages:
	@dpkg-query -W $(PACKAGES) >/dev/null 2>&1 || { \
	  $(SUDO) apt-get update && \
	  $(SUDO) env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $(PACKAGES); }

lint:
	swift format lint --strict --recursive --parallel Package.swift Sources Tests

format:
	swift format --in-place --recursive --parallel Package.swift Sources Tests

clean:
	rm -rf .build
