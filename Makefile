# Two commands: `make run` serves on port 8080, `make test` runs every test.
# Both install what is missing (Debian 12, a toolchain of Swift 6.3).

PACKAGES = libmicrohttpd-dev libgnutls28-dev libsimdjson-dev libdeflate-dev libhiredis-dev \
  libharfbuzz-dev libicu-dev libwoff-dev pkg-config
BROWSER_PACKAGES = python3 python3-venv chromium-headless-shell firefox-esr nodejs node-typescript esbuild \
  node-react-dom
PROXY_PACKAGES = python3 nginx-light redis-server haproxy nodejs node-express node-compression
RUNTIME_PACKAGES = libmicrohttpd12 libgnutls30 libsimdjson14 libdeflate0 libhiredis0.14 \
  libharfbuzz0b libicu72 libwoff1
# Fonts in which Chromium's lines were recorded. That of the last group, fonts-noto-cjk, is large:
# its paragraphs are tested where it is installed.
FONT_PACKAGES = fonts-dejavu-core fonts-open-sans fonts-roboto-unhinted fonts-inter fonts-lato \
  fonts-ebgaramond fonts-noto-core fonts-droid-fallback fonts-ipafont-gothic fonts-nanum \
  fonts-tlwg-garuda-ttf fonts-hosny-amiri fonts-lohit-deva fonts-noto-color-emoji fonts-inter-variable
PACKAGING_PACKAGES = python3 binutils dpkg-dev
TEST_PACKAGES = python3 python3-venv python3-yaml curl openssl wrk nghttp2-client lintian systemd \
  $(PROXY_PACKAGES) $(BROWSER_PACKAGES) $(FONT_PACKAGES) $(PACKAGING_PACKAGES)
INSTALL = $(SUDO) apt-get update && \
  $(SUDO) env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends
SUDO = $(if $(filter 0,$(shell id -u)),,sudo)
# Options of the program.
RUN_ARGUMENTS ?=
# For this machine, as quickly as may be.
RELEASE = swift build -c release -debug-info-format none
# Linking the program as a whole, Swift's runtime included, takes a twentieth off a query; and the
# program runs where no Swift is installed.
DIST = swift build -c release --scratch-path .build/dist --static-swift-stdlib \
  --experimental-lto-mode full --disable-local-rpath
# Where the builds with sanitizers go.
SCRATCH ?= .build

.PHONY: run load load-tests test test-all test-asan test-tsan contract documentation process application arrangements find forests hostile cbor clients nginx fuzz soak bench compare browser build dist deb tarball packages runtime-packages format lint clean

# Texts of the viewer's examples are in this font.
run: PACKAGES += fonts-inter
run: build
	@.build/release/layoutd $(RUN_ARGUMENTS)

test: PACKAGES += $(TEST_PACKAGES)
test: packages
	@python3 Tests/run.py

# Also what is too long for each day: the browser's tests with wide seeds and heavy sizes, and the
# random tests from outside against the program of `make dist`, which is optimized as a whole.
test-all: PACKAGES += $(TEST_PACKAGES)
test-all: dist
	@TEST_ALL=1 python3 Tests/run.py
	for tests in arrangements find forests application; do \
	  (cd Tests/$$tests && LAYOUTD=$(CURDIR)/.build/dist/release/layoutd python3 -B -m unittest) || exit 1; done

# The server against openapi.yaml, by schemathesis from PyPI; two minutes. With TEST_ALL=1
# seventeen times as many requests.
contract: PACKAGES += python3 python3-venv
contract: packages
	Tests/swift build --product layoutd
	Tests/contract/run .build/debug/layoutd

# The links, tables and shell sessions of the pages.
documentation: PACKAGES += python3 curl openssl
documentation: packages
	Tests/swift build --product layoutd
	cd Tests/documentation && python3 -B -m unittest

# Answers in CBOR, read by cbor2 and numpy from PyPI.
cbor: PACKAGES += python3 python3-venv curl nodejs
cbor: packages
	Tests/swift build --product layoutd
	Tests/cbor/run

# Views that are arranged, against SQLite.
arrangements: PACKAGES += python3
arrangements: packages
	Tests/swift build --product layoutd
	cd Tests/arrangements && python3 -B -m unittest

# The program as a process: its start and end, malformed requests, connections that die, work without
# end, and all that is stored between requests.
process: PACKAGES += python3 redis-server
process: packages
	Tests/swift build --product layoutd
	cd Tests/process && python3 -B -m unittest

# What an application relies on: feeds, access, names, and a backend.
application: PACKAGES += python3
application: packages
	Tests/swift build --product layoutd
	cd Tests/application && python3 -B -m unittest

# What is found in texts, against a plain loop.
find: PACKAGES += python3
find: packages
	Tests/swift build --product layoutd
	cd Tests/find && python3 -B -m unittest

# Random forests with their folds, against a plain walk.
forests: PACKAGES += python3
forests: packages
	Tests/swift build --product layoutd
	cd Tests/forests && python3 -B -m unittest

# Small requests that stand for much work, from random seeds.
hostile: PACKAGES += python3 python3-yaml
hostile: packages
	Tests/swift build --product layoutd
	cd Tests/hostile && python3 -B -m unittest

# Clients that openapi-python-client and datamodel-code-generator from PyPI make of openapi.yaml.
clients: PACKAGES += python3 python3-venv
clients: packages
	Tests/swift build --product layoutd
	Tests/clients/run

# layoutd behind nginx, HAProxy and express: caching, events, and two servers with one store.
nginx: PACKAGES += $(PROXY_PACKAGES)
nginx: packages
	Tests/swift build --product layoutd
	LAYOUTD=.build/debug/layoutd python3 -B -m unittest discover Tests/nginx

# The load test against a server, and against broken ones.
load-tests: PACKAGES += python3 wrk nghttp2-client
load-tests: packages
	Tests/swift build --product layoutd
	cd Tests/load && python3 -B -m unittest

# The client and the viewer in Node, in Debian's Chromium and in its Firefox; some four minutes. With TEST_ALL=1 all
# seeds and sizes.
browser: PACKAGES += $(BROWSER_PACKAGES)
browser: packages
	Tests/swift build --product layoutd
	Tests/browser/run
	Tests/browser/run firefox

# Every test again where wrong memory accesses, or data races, end the process, and the tests of the
# program as a process; some ten minutes each.
test-asan test-tsan: PACKAGES += python3-yaml redis-server
test-asan: export LSAN_OPTIONS = suppressions=$(CURDIR)/Tests/leaks-by-design
test-asan: packages
	swift test --sanitize address --scratch-path $(SCRATCH)/asan
	cd Tests/process && LAYOUTD=$(abspath $(SCRATCH))/asan/debug/layoutd python3 -B -m unittest

# The standard library's mutexes are explained to the sanitizer by a library of ours; no report is
# suppressed.
test-tsan: packages
	swift build --build-tests --sanitize thread --scratch-path $(SCRATCH)/tsan
	clang -shared -fPIC -O2 -Wall -Wextra -o $(SCRATCH)/tsan/mutex.so Tests/tsan-mutex.c
	export TSAN_OPTIONS=halt_on_error=1 LD_PRELOAD=$(abspath $(SCRATCH))/tsan/mutex.so; \
	  swift test --skip-build --sanitize thread --scratch-path $(SCRATCH)/tsan && cd Tests/process && \
	  LAYOUTD=$(abspath $(SCRATCH))/tsan/debug/layoutd python3 -B -m unittest

# FUZZ_SECONDS=60 for each of the fuzzer's targets.
fuzz: packages
	Fuzz/run

# SOAK_SECONDS=600 at full load, every answer checked; then a twentieth of that each with few
# descriptors and with many idle connections; as long with followers of events that are killed; the
# clients that ask for most memory; and what a store costs those who have nothing to do with it.
soak: PACKAGES += python3 redis-server
soak: dist
	python3 Tests/soak/soak.py .build/dist/release/layoutd
	python3 Tests/soak/kept.py .build/dist/release/layoutd
	python3 Tests/soak/hostile.py .build/dist/release/layoutd
	python3 Tests/soak/store.py .build/dist/release/layoutd
	python3 Tests/soak/events.py .build/dist/release/layoutd
	cd Tests/process && LAYOUTD=$(CURDIR)/.build/dist/release/layoutd BOUNDS_ROUNDS=30 BOUNDS_SIZE=5 \
	  python3 -B -m unittest test_bounds

# Half an hour; with QUICK=1 some minutes.
bench: PACKAGES += g++ python3 wrk
bench: dist .build/bench/bare .build/bench/parse .build/bench/revalidate
	BENCH=1 $(DIST) --product layout-bench
	.build/dist/release/layout-bench $(if $(QUICK),--quick)
	@echo
	python3 Benchmarks/load.py $(if $(QUICK),--quick)

# Queries and prepares of today's program beside those of BASE, a commit that is built in a folder of
# its own: what a change costs. Eight minutes, after both builds.
compare: PACKAGES += g++ python3 wrk
compare: dist .build/bench/bare
	@[ -n "$(BASE)" ] || { echo "make compare BASE=commit"; exit 1; }
	@python3 Benchmarks/compare.py $(BASE) .build/dist/release/layoutd $(COMPARE_ARGUMENTS)

# Users who scroll through a layout of a server that runs; see Documentation/load-testing.md.
load: PACKAGES = python3 wrk nghttp2-client
load: packages
	@Benchmarks/load-test $(LOAD_ARGUMENTS)

.build/bench/%: Benchmarks/%.c | packages
	@mkdir -p $(@D)
	cc -O3 -Wall -Wextra -pthread -o $@ $< $$(pkg-config --cflags --libs libmicrohttpd)

.build/bench/%: Benchmarks/%.cpp | packages
	@mkdir -p $(@D)
	c++ -std=c++17 -O3 -Wall -Wextra -o $@ $< \
	  $$(pkg-config --cflags --libs libmicrohttpd simdjson)

# Without the packages that only tests use.
build: packages
	@echo "Building layoutd; the first build takes some minutes."
	@Packaging/build $(RELEASE) --product layoutd

# The program for other machines: .build/dist/release/layoutd.
dist: packages
	@echo "Building layoutd for other machines; this takes some minutes."
	@Packaging/build $(DIST) --product layoutd

# A Debian package, and the same files for machines without a package manager, in .build/packages.
deb tarball: PACKAGES += $(PACKAGING_PACKAGES)
deb tarball: dist
	@Packaging/package .build/dist/release/layoutd

packages:
	@dpkg-query -W $(PACKAGES) >/dev/null 2>&1 || { \
	  $(INSTALL) $(PACKAGES); }

# What the program needs where it is only run.
runtime-packages:
	@dpkg-query -W $(RUNTIME_PACKAGES) >/dev/null 2>&1 || { $(INSTALL) $(RUNTIME_PACKAGES); }

# The formatter wraps code but no comments.
lint:
	swift format lint --strict --recursive --parallel Package.swift Plugins Sources Tests Fuzz Benchmarks
	LC_ALL=C.UTF-8 grep -rnP --include=*.swift '^(?=\s*//).{101}' Package.swift Plugins Sources Tests Fuzz Benchmarks; \
	  [ $$? -eq 1 ]

format:
	swift format --in-place --recursive --parallel Package.swift Plugins Sources Tests Fuzz Benchmarks

clean:
	rm -rf .build
