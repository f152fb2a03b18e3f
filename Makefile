# `make run` and `make test` first set up everything that they need.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Python for the browser, in the demonstration.
PYODIDE := deploy/demo/node_modules/.package-lock.json
# What the engine is compiled from: the modules that pyproject.toml lists, all .pxd files, and the build itself.
ENGINE := service/compiling.py $(shell sed -n 's/^sources = \["\(.*\)"\]$$/\1/p' pyproject.toml) \
  $(wildcard service/bestmove/search/engines/*/*.pxd service/bestmove/search/common/*.pxd)

.DEFAULT_GOAL := help
.PHONY: help run test test-docs test-slow peers check format lint types build bench document docs npm lock clean
SHELL := bash
.SHELLFLAGS := -o pipefail -c

help: ## list the commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-9s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# If this variable is set, pytest cannot cache rewritten assertions, and each process rewrites them again.
unexport PYTHONDONTWRITEBYTECODE
PYTEST := $(BIN)/pytest --numprocesses auto --dist loadfile --no-loadscope-reorder

run: $(VENV)/run ## set up what is missing and serve on http://127.0.0.1:8000 (another port: BESTMOVE_PORT=8001)
	$(BIN)/bestmove serve

test: $(VENV)/dev build lint types ## set up what is missing, lint, check types, run the quick tests: 3 minutes
	$(PYTEST) -m 'not slow'

test-docs: $(VENV)/dev build ## check the documents, which is enough if only they change: half a minute
	$(BIN)/pytest tests/test_documents.py tests/test_contributing.py

test-slow: $(VENV)/dev build ## run the tests that `make test` leaves out: 9 minutes
	$(PYTEST) -m slow

peers: $(VENV)/dev build ## test the bots for Kaggle and OpenSpiel, and labelling in pipelines, in a separate environment
	$(BIN)/python -m benchmarks.peers.environment -m pytest tests/bots/test_kaggle.py \
	  tests/bots/test_openspiel.py tests/test_documents.py -k 'kaggle or openspiel or embedding or labelling'

check: lint types ## lint and check types

format: $(VENV)/dev ## format the code
	$(BIN)/ruff format service benchmarks deploy docs tests
	$(BIN)/ruff check --fix service benchmarks deploy docs tests

lint: $(VENV)/dev
	$(BIN)/ruff format --check service benchmarks deploy docs tests
	$(BIN)/ruff check service benchmarks deploy docs tests

types: $(VENV)/dev
	$(BIN)/mypy

build: $(VENV)/engine ## compile the engine in place, if there is a C compiler

bench: $(VENV)/dev build ## measure the service and its peers, and write the report: a quarter of an hour
	$(BIN)/python -m benchmarks.report

document: $(VENV)/dev build ## make openapi.yaml, the types of client.js and docs/http.md's annotated answer
	$(BIN)/python service/describing.py

docs: $(VENV)/dev build $(PYODIDE) ## build a website of docs/ and the demonstration, in site/; needs npm
	$(BIN)/zensical build --config-file .zensical.toml --strict --clean
	$(BIN)/python deploy/demo/build.py site/demo

$(PYODIDE): deploy/demo/package-lock.json
	npm ci --no-audit --no-fund --prefix deploy/demo
	@touch $@

# The compiler of TypeScript, which writes the types of the JavaScript client.
TSC := tests/contract/node_modules/.bin/tsc

npm: ## build the npm package of the JavaScript client, in dist/npm/
	[ -x $(TSC) ] || npm ci --prefix tests/contract
	rm -rf dist/npm && mkdir -p dist/npm
	cp deploy/npm/package.json deploy/npm/README.md LICENSE service/bestmove/web/client.js dist/npm/
	$(TSC) dist/npm/client.js --allowJs --checkJs --strict --declaration --emitDeclarationOnly --target es2022 \
	  --module nodenext

LOCK := $(BIN)/pip-compile --quiet --no-config --generate-hashes --strip-extras \
  --no-emit-index-url --no-emit-find-links --no-emit-options --no-emit-trusted-host

lock: $(VENV)/dev ## update the image's locked and hashed dependencies
	$(LOCK) --extra server --extra connect-four --output-file deploy/requirements.lock pyproject.toml
	$(LOCK) --extra server --extra connect-four --extra label --output-file deploy/label.lock pyproject.toml
	$(LOCK) --allow-unsafe --only-build-deps --build-deps-for wheel \
	  --output-file deploy/build.lock pyproject.toml

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Best Move needs Python 3.11 or newer: make PYTHON=/path/to/python3.11" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip' 2>/dev/null || \
	  { [ "$$(id -u)" = 0 ] && apt-get update -qq && apt-get install -qq -y python3-venv; } || \
	  { echo "Python's venv is missing: apt-get install python3-venv" >&2; exit 1; }
	@echo "Making a virtual environment in $(VENV)/."
	@$(PYTHON) -m venv $(VENV)
	@command -v $${CC:-cc} >/dev/null || \
	  echo "No C compiler: the engine runs as plain Python, a hundred times slower." \
	    "For its full speed: apt-get install gcc python3-dev, then make clean" >&2

# Prints a line for each package that pip finds and for each later step, and all errors.
# PIP_COMPILE=0: Python compiles a file when it is first imported, so pip need not compile all of them.
# It is a variable because it must also reach the pip that pip starts to install the build's own tools.
INSTALL = PIP_COMPILE=0 PYTHONUNBUFFERED=1 $(BIN)/pip install --disable-pip-version-check --progress-bar off --editable
STEPS := while IFS= read -r line; do case "$$line" in \
  "Collecting "*) read -r _ package _ <<<"$$line"; echo "  package $$((++found)): $$package" ;; \
  *"Installing build dependencies: started") echo "  the tools that compile the engine" ;; \
  *"Building editable"*started) echo "  compiling the engine: half a minute" ;; \
  "Installing collected"*) echo "  installing" ;; \
  *ERROR:* | *error:*) echo "$$line" ;; esac; done

$(VENV)/run: $(BIN)/python pyproject.toml $(ENGINE)
	@echo "Setting up what the service needs, once: some 20 packages, and the engine; less than a minute."
	@$(INSTALL) '.[server,connect-four]' 2>&1 | $(STEPS)
	@touch $@

$(VENV)/dev: $(BIN)/python pyproject.toml
	@echo "Setting up what development needs, once: some 130 packages, and the engine; three minutes."
	@$(INSTALL) '.[dev]' 2>&1 | $(STEPS)
	@touch $@ $(VENV)/run $(VENV)/engine

# Compiles again after an edit, but not right after the set-up, which compiles too. Does nothing without a compiler.
$(VENV)/engine: $(VENV)/dev $(ENGINE)
	@[ -n "$(filter $(VENV)/dev,$?)" ] || ! command -v $${CC:-cc} >/dev/null || \
	  $(BIN)/python -c 'from setuptools import setup; setup()' --quiet build_ext --inplace --build-temp $(VENV)/build
	@touch $@

clean: ## remove what was built
	rm -rf $(VENV) benchmarks/peers/.venv build dist site .cache service/*.egg-info
	find service/bestmove/search -name '*.so' -delete -o -name '*.c' -delete
