# Everything here runs from an empty clone; what is missing is installed where that is possible (`make deps`).

ENVOY_VERSION := 1.40.0
ENVOY := .tools/envoy-$(ENVOY_VERSION)/envoy
PROMETHEUS := .tools/prometheus/prometheus
CLIENTS := .tools/clients
DENY := .tools/bin/cargo-deny
DENY_VERSION := 0.20.2
BOLERO := .tools/bin/cargo-bolero
BOLERO_VERSION := 0.13.5
# Arguments for the test binaries' cargo call: make test ARGS='-p weir-core gcra'
ARGS ?=

# Where rustup and Debian put their programs, in case the shell does not look there.
export PATH := $(PATH):$(HOME)/.cargo/bin:/usr/sbin:/sbin

.DEFAULT_GOAL := help
.PHONY: help deps envoy prometheus clients wasm demo test test-core lint fmt deny bench memory soak fuzz compose-check reproducible clean

help: ## show this list
	@sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)/\1|\2/p' $(MAKEFILE_LIST) | while IFS='|' read -r name text; do \
		printf '  make %-14s %s\n' "$$name" "$$text"; done

deps: ## install what the build and the tests need and this machine lacks
	@scripts/deps rust lint curl pip node

envoy: $(ENVOY) ## fetch Envoy into .tools/
$(ENVOY):
	@scripts/deps pip
	@scripts/envoy $(ENVOY_VERSION) $(@D)

prometheus: $(PROMETHEUS) ## fetch Prometheus and promtool into .tools/
$(PROMETHEUS):
	@scripts/prometheus $(@D)

clients: $(CLIENTS)/complete ## install the clients that the tests run, libraries into .tools/
	@scripts/deps curl pip node
$(CLIENTS)/complete: scripts/clients tests/clients/python/requirements.txt tests/clients/node/package-lock.json
	@scripts/deps pip node
	@scripts/clients $(@D)

wasm: ## build dist/weir.wasm
	@scripts/deps rust
	@cargo xtask wasm --install

demo: wasm envoy ## run the filter in Envoy and show it limiting (CHECK=1: only check and exit; PORT=, ADMIN_PORT=, UPSTREAM_PORT=)
	@scripts/deps curl
	@cargo build --quiet --package weir-client
	@ENVOY=$(ENVOY) CHECK=$(CHECK) PORT=$(PORT) ADMIN_PORT=$(ADMIN_PORT) UPSTREAM_PORT=$(UPSTREAM_PORT) scripts/demo

test: wasm envoy prometheus clients ## every test, those in a real Envoy included (ARGS= goes to cargo test)
	cargo test --workspace $(ARGS)

test-core: ## the engine's tests alone
	@scripts/deps rust
	cargo test --package weir-core $(ARGS)

lint: ## formatting, clippy (native and for WebAssembly), dependencies
	@scripts/deps lint
	cargo fmt --all --check
	cargo clippy --workspace --all-targets -- -D warnings
	cargo xtask clippy --install
	@$(MAKE) --no-print-directory deny

fmt: ## format the code
	@scripts/deps lint
	cargo fmt --all

deny: $(DENY) ## licences, duplicates and sources of the dependencies
	$(DENY) check --hide-inclusion-graph licenses bans sources
$(DENY):
	@scripts/deps rust
	@echo "building cargo-deny $(DENY_VERSION) into .tools/ (two minutes, once)"
	@CARGO_PROFILE_RELEASE_OPT_LEVEL=0 CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 \
		cargo install --quiet --locked --root .tools --version $(DENY_VERSION) cargo-deny

memory: wasm envoy ## what two million clients cost, beside local_ratelimit; then 200 updates under load (KEYS= for fewer clients)
	WEIR_KEYS=$(or $(KEYS),1000000) cargo test --package weir-tests --test endurance -- memory updates

soak: wasm envoy ## everything at once for SOAK_SECONDS=180, then the sums
	SOAK_SECONDS=$(or $(SOAK_SECONDS),180) cargo test --package weir-tests --test endurance -- soak

bench: wasm envoy ## the benchmarks
	cargo run --release --package weir-bench

fuzz: $(BOLERO) ## every fuzz target for SECONDS_EACH=60, guided by coverage (TARGETS= chooses some)
	@scripts/fuzz $(or $(SECONDS_EACH),60) $(TARGETS)
$(BOLERO):
	@scripts/deps rust
	@echo "building cargo-bolero $(BOLERO_VERSION) into .tools/ (two minutes, once)"
	@CARGO_PROFILE_RELEASE_OPT_LEVEL=0 CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 \
		cargo install --quiet --locked --root .tools --version $(BOLERO_VERSION) \
		--no-default-features --features libfuzzer cargo-bolero

compose-check: envoy prometheus ## bring the Docker Compose stack up on stand-in images, and check it
	@scripts/deps curl
	@ENVOY=$(ENVOY) PROMETHEUS=$(PROMETHEUS) scripts/compose-check

reproducible: wasm ## build once more, in another checkout, and compare
	@scripts/reproducible

clean: ## remove what was built (.tools/ stays)
	cargo clean
	rm -rf dist
