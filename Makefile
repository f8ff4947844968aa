# Needs nothing but Python 3.11 or newer with its venv module; everything else is installed into .venv.

VENV := .venv
BIN := $(VENV)/bin
FITS := import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))
PYTHON ?= $(shell for name in python3.11 python3 python3.12 python3.13; do \
	$$name -c '$(FITS)' 2>/dev/null && { echo $$name; break; }; done)

# Each of the many processes that tests start would compile everything anew.
unexport PYTHONDONTWRITEBYTECODE

SAMPLE ?= 15
SEED ?= 1

.PHONY: help install run rules test test-services check chaos chaos-long mutation sbom bench messages screenshots clean
.DEFAULT_GOAL := help

help: ## Say what there is
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 22

install: $(VENV)/dev.stamp ## Make .venv with everything, the tools of development included

run: $(VENV)/base.stamp ## Run Arbitre here with its demonstration, until Ctrl-C
	@$(BIN)/python -m tournaments.config.launcher

rules: $(VENV)/base.stamp ## Make the rules engine for browsers (needs npm), with which games are recorded by taps and offline
	@$(BIN)/python tools/browser_rules.py

test: $(VENV)/dev.stamp ## Test all but what is slow or needs services, on the embedded default
	@$(BIN)/python -m pytest -n 3 --dist loadfile --no-loadscope-reorder --no-migrations \
		-m "not slow and not services" -rfEs -p tests.strict_skips

test-services: $(VENV)/dev.stamp ## Test on PostgreSQL, Redis and RabbitMQ, then what is slow
	@$(BIN)/python tools/services.py

check: $(VENV)/dev.stamp ## Style, types, layers, migrations, messages, templates, documentation
	@$(BIN)/python tools/check.py

chaos: $(VENV)/dev.stamp ## Kill, cut off and fill up everything under load, and count what became of it
	@REQUIRE_SERVICES=1 $(BIN)/python -m tools.chaos

chaos-long: $(VENV)/dev.stamp ## The same with at least 500 actions under each fault
	@REQUIRE_SERVICES=1 $(BIN)/python -m tools.chaos --actions 500 --seconds 15 --minutes 240

mutation: $(VENV)/mutation.stamp ## Break SAMPLE lines in each of four packages, and count which of them the tests notice
	@$(BIN)/python tools/mutation.py --sample $(SAMPLE) --seed $(SEED)

sbom: $(VENV)/sbom.stamp ## List what an installation consists of, with versions and hashes: build/sbom.json (CycloneDX)
	@mkdir -p build
	@cat requirements/base.txt requirements/tables.txt | $(BIN)/cyclonedx-py requirements - --pyproject pyproject.toml \
		--output-reproducible --output-file build/sbom.json
	@echo build/sbom.json

bench: $(VENV)/dev.stamp ## Measure every figure, peers beside us
	@set -e; for script in bench/[a-z]*.py; do \
		printf '\n== %s\n' "$$script"; $(BIN)/python -m "bench.$$(basename "$$script" .py)"; done

messages: $(VENV)/dev.stamp ## Gather the sentences to translate, and compile them
	@$(BIN)/python -m tournaments.locale.messages extract
	@$(BIN)/python -m tournaments.locale.messages compile

screenshots: $(VENV)/dev.stamp ## Make the pictures of the guides anew, in Chromium
	@$(BIN)/python tools/screenshots.py

clean: ## Remove .venv, the caches and the rules for browsers; the data in var/ stays
	rm -rf build $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

$(BIN)/python:
	@"$(PYTHON)" -c '$(FITS)' 2>/dev/null || { \
		echo "Python 3.11 or newer with its venv module is needed (on Debian: python3 and python3-venv)." \
			"PYTHON=… names one." >&2; exit 1; }
	@"$(PYTHON)" -m venv $(VENV)

# A stamp is older than its file when the pins changed, and then they are installed again.
$(VENV)/base.stamp: requirements/base.txt | $(BIN)/python
	@echo "installing the requirements"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements/base.txt
	@touch $@

$(VENV)/dev.stamp: requirements/base.txt requirements/dev.txt | $(BIN)/python
	@echo "installing the requirements"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements/base.txt -r requirements/dev.txt
	@touch $(VENV)/base.stamp $@

$(VENV)/mutation.stamp: requirements/mutation.txt $(VENV)/dev.stamp
	@echo "installing cosmic-ray"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements/mutation.txt
	@touch $@

$(VENV)/sbom.stamp: requirements/sbom.txt $(VENV)/dev.stamp
	@echo "installing cyclonedx-bom"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements/sbom.txt
	@touch $@
