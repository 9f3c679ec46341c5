# Two stages: the official Swift image for Debian 12 builds, a slim Debian runs.
# Both install with the Makefile's own commands.

FROM swift:6.3-bookworm AS build
WORKDIR /layoutd
# First what changes least, so that the packages are not installed again for each build.
COPY Makefile ./
RUN apt-get update && apt-get install -y --no-install-recommends make && make packages
COPY . .
RUN make dist

FROM debian:bookworm-slim
WORKDIR /layoutd
COPY Makefile ./
# curl is for the health check, the fonts are for cards.
RUN apt-get update && apt-get install -y --no-install-recommends make curl fonts-inter \
  && make runtime-packages \
  && apt-get purge -y --auto-remove make && rm -rf /var/lib/apt/lists/* Makefile \
  && useradd --system --no-create-home layoutd
COPY --from=build /layoutd/.build/dist/release/layoutd /usr/local/bin/layoutd
USER layoutd
EXPOSE 8080
ENV LAYOUTD_HOST=0.0.0.0
HEALTHCHECK --interval=10s --timeout=3s --start-period=2s \
  CMD curl --fail --silent --insecure --output /dev/null \
    http${LAYOUTD_TLS_CERTIFICATE:+s}://127.0.0.1:${LAYOUTD_PORT:-8080}/healthz
ENTRYPOINT ["layoutd"]
