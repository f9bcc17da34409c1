# kerneldoc alone, static, without a shell: docker run --rm -v "$PWD/logs:/logs:ro" kerneldoc diagnose /logs
#
# On Alpine, Rust builds for musl and links statically by itself. `musl-dev` is for the C parts of zstd, xz and bzip2.
FROM rust:1.88-alpine3.22 AS build
RUN apk add --no-cache "musl-dev=~1.2"
WORKDIR /kerneldoc
COPY Cargo.toml Cargo.lock build.rs ./
COPY src src
COPY rules rules
# Cargo wants every test it is told of to exist; none is built.
COPY tests tests
RUN cargo build --release --locked --bin kerneldoc

FROM scratch
LABEL org.opencontainers.image.title="kerneldoc" \
      org.opencontainers.image.description="Tells why a Jupyter kernel died, from whatever logs are left" \
      org.opencontainers.image.licenses="MIT OR Apache-2.0"
COPY --from=build /kerneldoc/target/release/kerneldoc /kerneldoc
COPY LICENSE-MIT LICENSE-APACHE /licenses/
# Nobody in particular: it reads what it is given and writes to standard output.
USER 65534:65534
WORKDIR /logs
ENTRYPOINT ["/kerneldoc"]
CMD ["diagnose", "/logs"]
