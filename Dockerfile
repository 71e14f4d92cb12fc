# Builds the module and puts it into Envoy's public image:  docker build -t weir .
# The module alone, as an image that Istio and Envoy Gateway can load:  docker build --target module -t weir-module .

FROM rust:1.95-bookworm AS build
WORKDIR /weir
COPY . .
RUN cargo xtask wasm --install

FROM scratch AS module
COPY --from=build /weir/dist/weir.wasm ./plugin.wasm

FROM envoyproxy/envoy:v1.40.0
COPY --from=build /weir/dist/weir.wasm /etc/envoy/weir.wasm
COPY envoy/envoy.yaml /etc/envoy/envoy.yaml
