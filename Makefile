PYTHON ?= python3
WORKSPACE ?= workspace
VENV := .venv
BIN := $(VENV)/bin
CLIENTS := .clients
PLAYWRIGHT := playwright>=1.50,<2
CLIENT_PACKAGES := @anthropic-ai/claude-code@2.1.329 @openai/codex@0.169.0 @modelcontextprotocol/inspector@0.15.0
OPENCLAW_PACKAGE := openclaw@2026.9.6
OPENCLAW_OLDER ?= 2026.7.35 2026.5.28

unexport PYTHONDONTWRITEBYTECODE  # what was compiled of the tests is used again: a third of what collecting them takes

.PHONY: help setup up demo test quick test-enhanced pages pictures check lint types layers faults clients bench year life docs picture clean

help:  ## List the targets
	@grep -hE '^[a-z-]+:.*##' Makefile | sed 's/:.*## /\t/'

setup: $(VENV)/ready  ## Make .venv with clawgit and its tools

$(VENV)/ready: pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit("clawgit needs Python 3.11 or newer." if sys.version_info < (3, 11) else 0)'
	@echo "Installing clawgit and its tools into $(VENV): a minute or two."
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

up: setup  ## Set up, make ./workspace (or WORKSPACE=...) if it is new, and look after it until ^C
	@exec $(BIN)/clawgit up "$(WORKSPACE)"

demo: setup  ## A fortnight of talk: what was said beside what was learned, and what is remembered in the end
	$(BIN)/python -m demo

test: setup  ## Set up and run the tests, of tests/faults the smoke cases
	$(BIN)/python -m pytest -n auto --dist worksteal --smoke

quick: setup  ## The tests of the rooms that touch no file: a minute
	$(BIN)/python -m pytest -n auto tests/text tests/memory tests/identity tests/understanding tests/history/guards

test-enhanced: setup  ## Add the extra `enhanced` and run its tests, which need Chroma
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev,enhanced]'
	$(BIN)/python -m pytest -n auto --dist loadfile tests/recall/enhanced tests/cli/enhanced tests/cli/test_vector_wiring.py tests/faults/stores/test_vectors.py

pages: setup  ## Look at every view of the page with the system's Chromium, driven by Playwright
	$(BIN)/python -m pip install --quiet --disable-pip-version-check '$(PLAYWRIGHT)'
	PAGE_BROWSER=1 $(BIN)/python -m pytest tests/page/browser

pictures: setup  ## Renew the pictures of the page in docs, from the demo's fortnight
	$(BIN)/python -m pip install --quiet --disable-pip-version-check '$(PLAYWRIGHT)'
	$(BIN)/python -m demo.pictures

lint: setup  ## Style and formatting
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: setup  ## mypy --strict
	$(BIN)/mypy --strict

layers: setup  ## Imports point one way
	$(BIN)/lint-imports

check: lint types layers test  ## Everything CI runs, in this order

faults: setup  ## The fault loops at full length, and every property with new examples
	$(BIN)/python -m pytest -n auto --dist worksteal --long -o faulthandler_timeout=3600 tests/faults
	$(BIN)/python -m pytest -n auto --dist worksteal --long -o faulthandler_timeout=3600 -m 'hypothesis or long' --ignore=tests/faults

clients: $(CLIENTS)/ready $(OPENCLAW_OLDER:%=$(CLIENTS)/openclaw-%/ready)  ## Install OpenClaw, Claude Code, Codex, the MCP Inspector and SDK (npm, PyPI) and try them, in a network of their own
	$(CLIENTS)/node/node_modules/node/bin/node --test tests/clients/plugin/*.test.mjs
	CLIENTS_FOLDER="$(CURDIR)/$(CLIENTS)" $(BIN)/python -m pytest -n 2 --dist loadfile -o faulthandler_timeout=1200 tests/clients  # a Gateway takes minutes to start where others work

$(CLIENTS)/ready: Makefile $(VENV)/ready
	@npm ping >/dev/null 2>&1 || { echo "npm does not answer: the real clients were NOT tried." >&2; exit 1; }
	npm install --prefix $(CLIENTS) --no-audit --no-fund --silent $(CLIENT_PACKAGES)
	cd $(CLIENTS)/node_modules/@anthropic-ai/claude-code && node install.cjs
	npm install --prefix $(CLIENTS)/node --no-audit --no-fund --silent node@24
	npm install --prefix $(CLIENTS)/openclaw --no-audit --no-fund --silent --ignore-scripts $(OPENCLAW_PACKAGE)
	$(PYTHON) -m venv $(CLIENTS)/sdk
	$(CLIENTS)/sdk/bin/python -m pip install --quiet --disable-pip-version-check 'mcp>=2.3,<3'
	@touch $@

$(CLIENTS)/openclaw-%/ready: $(CLIENTS)/ready
	npm install --prefix $(@D) --no-audit --no-fund --silent --ignore-scripts openclaw@$*
	@touch $@

bench: setup  ## Ratios against the git program, side by side; ARGS="--messages FILE --talk FILE" for triage
	$(BIN)/python -m benchmarks $(ARGS)

year: setup  ## A simulated year for each of three seeds, and what memory is like after it; ARGS="--seeds 4 --days 90"
	$(BIN)/python -m benchmarks.year $(ARGS)

life: setup  ## Eleven lives of ninety days of both sides' talk, rules alone; ARGS="--model perfect --lives velka"
	$(BIN)/python -m benchmarks.life $(ARGS)

docs: setup  ## Renew the lists in the documents that are made from the code
	$(BIN)/python -m demo.generated_docs README.md docs/*.md

picture: setup  ## Renew docs/demo.svg, the picture in README.md, from the demo
	$(BIN)/python -m demo.picture

clean:  ## Remove what setup and the tests made
	rm -rf $(VENV) $(CLIENTS) dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
