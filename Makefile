# PYTHON is used once, to create .venv; everything else runs inside it.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.stamp
MYPY_PACKAGES := blokus_env blockers_env agents scripts

.PHONY: help setup train check lint types pytest wheel test guard bench clean

help:
	@echo "make setup   create $(VENV) with everything"
	@echo "make train   train a Duo agent for five minutes and play it"
	@echo "make check   ruff, formatting, mypy: what pre-commit runs"
	@echo "make test    check, all tests, and the wheel in an empty environment: what CI runs"
	@echo "make guard   fail if speeds, as multiples of a fixed NumPy loop, have halved: what CI runs after the tests"
	@echo "make bench   benchmarks"

setup: $(STAMP)

$(STAMP): pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; assert sys.version_info >= (3, 11), "Python 3.11 or newer, please: make PYTHON=..."'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet torch -c constraints.txt
	$(BIN)/python -m pip install --quiet -e '.[dev]' -c constraints.txt
	touch $(STAMP)

train: setup
	$(BIN)/python -m scripts.train --env duo --minutes 5

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: setup
	$(BIN)/mypy $(wildcard $(MYPY_PACKAGES))

check: lint types

pytest: setup
	$(BIN)/python -m pytest -q -m '' -n auto --dist worksteal

wheel: setup
	PYTHON=$(BIN)/python scripts/smoke_wheel.sh

test: check pytest wheel

guard: setup
	$(BIN)/python -m scripts.benchmark --guard benchmarks/guard.json

bench: setup
	$(BIN)/python -m scripts.benchmark

clean:
	rm -rf build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
