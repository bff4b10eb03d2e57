# The front door. Every target first installs what is missing for it (scripts/setup.sh), then does what it says.
PREFIX ?= /usr/local
DESTDIR ?=
SEED ?= 1

.DEFAULT_GOAL := help
.PHONY: help build demo test test-rest test-all mutants check bench coverage install clean

help: ## say what can be made (this is the default)
	@echo "Graze: exact and fast collision detection. What can be made:"
	@sed -n 's/^\([a-z-]*\):.*## /  make \1\t/p' Makefile | expand -t 18

build: ## build libraries and tool; the tool is build/graze
	@scripts/setup.sh build
	@scripts/viewer.sh
	@scripts/build.sh release -DGRAZE_TESTS=OFF

demo: build ## make two gears and a few shapes, and see where they meet
	@scripts/demo.sh build/graze
	@echo "The files are in build/demo. Next: build/graze --help, and README.md for the library."

test: ## what a change may break, in some minutes: quick tests, the tool, reports in a browser
	@scripts/setup.sh build test
	@scripts/setup.sh viewer || echo "test: going on without the browser"
	@scripts/test.sh

test-rest: ## what test-all adds: long tests, packages, sanitizers (address, undefined, thread), fuzzers, some mutants
	@scripts/setup.sh build test
	@scripts/setup.sh viewer || echo "test: going on without the browser"
	@scripts/viewer.sh
	@scripts/test_rest.sh $(SEED)

test-all: test test-rest ## every test, each once

mutants: ## change single operators and bounds of the library, and see whether tests notice (half an hour; SEED=1)
	@scripts/setup.sh build test
	@python3 scripts/mutants.py --seed $(SEED) --count 400 --minutes 10 --patience 10 --json build-mutants/results.json
	@python3 scripts/mutants.py --ledger

check: ## format, static analysis, layers, symbols, headers alone, second compiler
	@scripts/setup.sh build check
	@scripts/check.sh

bench: ## measure how fast it is, side by side with other libraries (some minutes; see lab/README.md)
	@scripts/setup.sh build bench
	@scripts/build.sh release -DGRAZE_TESTS=OFF -DGRAZE_LAB_PEERS=ON
	@build/graze-bench
	@echo
	@build/graze-lab run --quick --json build/bench.json

coverage: ## say which share of the lines the quick tests run
	@scripts/setup.sh build test
	@scripts/coverage.sh

install: build ## install under PREFIX=/usr/local (and DESTDIR)
	@echo "install: into $(DESTDIR)$(PREFIX)"
	@DESTDIR="$(DESTDIR)" cmake --install build --prefix "$(PREFIX)" >build/install.log || { cat build/install.log; exit 1; }
	@if [ -z "$(DESTDIR)" ] && [ "$$(id -u)" -eq 0 ] && command -v ldconfig >/dev/null; then ldconfig; fi

clean: ## remove all build folders
	@echo "clean: build/ build-*/"
	@rm -rf build build-*/
