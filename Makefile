# Everything a developer does, one word each. `make help` lists them.
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin

help: ## what there is
	@grep -E '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/'

setup: $(BIN)/pytest ## a virtual environment with everything for development

$(BIN)/pytest: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install -q -e '.[test]'
	@touch $@

run: setup ## the server with the demo session
	$(BIN)/tabletape serve --demo

test: setup ## all tests
	$(BIN)/pytest -q -n auto

lint: setup ## style and import contracts
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports

types: setup ## the strict type checker
	$(BIN)/mypy

docs: setup ## generated pages are up to date, links and examples hold
	$(BIN)/pytest -q tests/docs

bench: setup ## speed and size against their limits, on this machine
	$(BIN)/python -m bench

.PHONY: help setup run test lint types docs bench
