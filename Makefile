# One-word commands. The first run makes .venv and installs what the build needs from PyPI; build trees are kept and reused.
PYTHON ?= python3
CLANG_TIDY ?= clang-tidy-14
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
VENV := $(CURDIR)/.venv
RELEASE := build/release
CPP := $(shell find cpp include python/src tests benchmarks examples -name ".*" -prune -o \( -name "*.h" -o -name "*.cc" -o -name "*.c" \) -print 2>/dev/null | sort)

export PATH := $(VENV)/bin:$(PATH)
export VIRTUAL_ENV := $(VENV)
export CMAKE_BUILD_PARALLEL_LEVEL := $(JOBS)
export PIP_DISABLE_PIP_VERSION_CHECK := 1
unexport PYTHONHOME PYTHONPATH

.PHONY: help demo test generate sdist lint format tidy bench soak asan tsan size amalgam fuzz build clean parity parity-golden targets
.DELETE_ON_ERROR:

help:
	@echo "make demo    build, install into .venv, train on the digits and print the accuracy"
	@echo "make test    build and run every check"
	@echo "make build   build and install into .venv"
	@echo "make generate after a change of operators: build, write what is generated from them, install"
	@echo "make lint    check formatting, types and include order      make format  apply the formatters"
	@echo "make tidy    run clang-tidy                                make bench   run the benchmarks"
	@echo "make asan    all C++ tests under AddressSanitizer          make tsan    ... under ThreadSanitizer"
	@echo "make soak    long random runs of the engine                make size    library size and import time"
	@echo "make targets tests and predictions on ARM, RISC-V and WebAssembly (installs Debian's cross compilers)"
	@echo "make fuzz    fuzz the single file's readers of models for a minute each (TIME=3600 FUZZER=afl KINDS=params)"
	@echo "make amalgam build the single file at full speed: seconds, memory, sizes"
	@echo "make parity  compare every operator with real MXNet 1.9.1 (makes its environment on first use)"
	@echo "make sdist   write the source distribution and build a wheel from it"
	@echo "make clean   remove what was built (and .venv)"

# --- set-up: stamps, so that it is done once and again only when pyproject.toml asks for something else

$(VENV)/bin/python:
	@$(PYTHON) tools/check_machine.py
	$(PYTHON) -m venv $(VENV)

$(VENV)/.build: pyproject.toml tools/requirements.py | $(VENV)/bin/python
	python -m pip install --quiet 'pip>=23.1'
	python tools/requirements.py build run > $(VENV)/build.txt
	python -m pip install --quiet -r $(VENV)/build.txt
	@touch $@

$(VENV)/.demo: $(VENV)/.build
	python tools/requirements.py demo > $(VENV)/demo.txt
	python -m pip install --quiet -r $(VENV)/demo.txt
	@touch $@

$(VENV)/.test: $(VENV)/.build
	python tools/requirements.py test > $(VENV)/test.txt
	python -m pip install --quiet -r $(VENV)/test.txt
	@touch $@

# The wheel is built in build/release, so a second build compiles only what changed, and kept in build/wheel.
build: $(VENV)/.build
	python tools/run_tests.py build

# After a change of operators: writes python/mixgrad/ops.py, docs/operators.md and the functions of languages/.
generate: $(VENV)/.build
	python tools/run_tests.py generate

# --- what people run

demo: build $(VENV)/.demo
	python examples/digits.py

test: $(VENV)/.test
	python tools/run_tests.py

lint: $(VENV)/.test
	python tools/run_tests.py lint

format: $(VENV)/.test
	@clang-format -i $(CPP)
	ruff check --fix .
	ruff format .

tidy: $(VENV)/.build
	cmake --preset release
	$(CLANG_TIDY) -p $(RELEASE) --quiet $(filter cpp/%.cc,$(CPP))

# Options of the runner: make bench BENCH="--only 'dispatch*' --output docs/performance.md"; see benchmarks/README.md.
bench: build
	cmake --build $(RELEASE) --target benchmarks
	python benchmarks/run.py --json build/benchmarks.json $(BENCH)

asan tsan: $(VENV)/.build
	cmake --preset $@
	cmake --build --preset $@
	ctest --preset $@

soak: $(VENV)/.test
	python tools/run_tests.py soak

# parity-golden also renews the answers that `make test` compares with.
parity: build
	sh tests/parity/run.sh

parity-golden: build
	sh tests/parity/run.sh --golden

# Cross compilers and emulators come from Debian; where that is not possible, targets without them are skipped.
targets: build
	-apt-get install -y --no-install-recommends $$(python tools/targets.py --packages)
	python tools/targets.py --full

sdist: build
	python tools/check_sdist.py

size: build
	python tools/check_size.py

amalgam: build
	python tools/check_amalgam.py

# TIME: seconds for each kind of input. FUZZER: libfuzzer or afl. KINDS: symbol, cut, params, model.
fuzz:
	FUZZER=$(or $(FUZZER),libfuzzer) tests/fuzz/run.sh $(or $(TIME),60) $(KINDS)
	$(if $(KINDS),,tests/fuzz/record.sh fuzz $(or $(TIME),60))
	$(if $(KINDS),,tests/fuzz/protocol.sh fuzz $(or $(TIME),60))

clean:
	rm -rf build $(VENV)
