# Reverie: what a person or a CI machine runs. Needs git, make and Python 3.11 or newer with venv and pip.
#   make run          set up (the first time) and open the window
#   make test         all tests that need no display server (test-display: the others)
#   make test-core    the core's tests where PySide6 is not installed
#   make test-llm     asks a real model, at the OpenAI-compatible endpoint in REVERIE_TEST_LLM
#   make lint         style, types, layers, texts that are not translated
#   make bench        timings, as a table
#   make bench-search how well and how fast search finds, beside other ways (REVERIE_BENCH_DATA: a folder with locomo-dev.json)
#   make bench-1m     the same speed at 100,000 and a million memories: makes their vaults once, which takes some ten minutes
#   make constraints  resolve packaging/constraints.txt anew
#   make clean        remove what was made here (never a vault)

VENV := .venv
BIN := $(VENV)/bin
ALONE := $(VENV)/core-alone
PINS := packaging/constraints.txt
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
# Pinned as well, and so not fetched anew into an isolated build: the build tools.
INSTALL := $(PIP) install --no-build-isolation --constraint $(PINS)

.PHONY: run test test-core test-display test-llm lint bench bench-search bench-1m constraints clean
.DEFAULT_GOAL := run

run: $(VENV)/.for-use
	@$(BIN)/reverie

test: $(VENV)/.for-work
	@QT_QPA_PLATFORM=offscreen $(BIN)/python -m pytest -n 2 --dist loadfile -m "not slow and not bench and not llm and not display" $(ARGS)

# The package as `pip install .` makes it, in an environment of its own. The checkout is not on its path.
test-core: $(ALONE)/.ready
	@$(ALONE)/bin/python -c 'import sys, importlib.util as u; sys.exit("PySide6 is there: this proves nothing" if u.find_spec("PySide6") else 0)'
	@$(ALONE)/bin/python -m pip --disable-pip-version-check --quiet install --no-build-isolation --no-deps --force-reinstall .
	@$(ALONE)/bin/python -m pytest -c packaging/pytest-core.ini --rootdir . tests/unit/core $(ARGS)

test-display: $(VENV)/.for-work
	@$(BIN)/python -m pytest -m "display and not slow and not bench and not llm" $(ARGS)

test-llm: $(VENV)/.for-work
	@test -n "$(REVERIE_TEST_LLM)" || { echo "Set REVERIE_TEST_LLM to an endpoint, as http://127.0.0.1:8080/v1"; exit 1; }
	@$(BIN)/python -m pytest -m llm tests/llm -s $(ARGS)

lint: $(VENV)/.for-work
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports
	@$(BIN)/python packaging/bare_strings.py core/reverie gui/reverie_gui

bench: $(VENV)/.for-bench
	@QT_QPA_PLATFORM=offscreen $(BIN)/python -m pytest -m bench tests/bench $(ARGS)

bench-search: $(VENV)/.for-bench
	@$(BIN)/python -m pytest -m bench tests/bench/test_search_quality.py tests/bench/test_search_speed.py $(ARGS)

bench-1m: $(VENV)/.for-bench
	@echo "A vault of a million memories is made once and kept in the temporary folder (3 GB): some ten minutes ..."
	@PYTHONPATH=. $(BIN)/python -m tests.bench.corpus 100000
	@PYTHONPATH=. $(BIN)/python -m tests.bench.corpus 1000000
	@REVERIE_BENCH_LARGE=1 $(BIN)/python -m pytest -m bench tests/bench/test_search_speed.py $(ARGS)

constraints:
	@packaging/make-constraints.sh

clean:
	@rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis
	@find core gui tests packaging -name __pycache__ -type d -prune -exec rm -rf {} +

# An interrupted installation leaves no stamp, so that the next call goes on with it.
$(VENV)/.for-use: pyproject.toml $(PINS)
	@test -x $(BIN)/python || packaging/make-venv.sh $(VENV)
	@echo "Installing Reverie into $(VENV): once, about a minute ..."
	@$(PIP) install --constraint $(PINS) hatchling editables
	@$(INSTALL) --editable ".[gui]"
	@touch $@

$(VENV)/.for-work: $(VENV)/.for-use
	@echo "Installing the tools for tests ..."
	@$(INSTALL) --editable ".[gui,dev]"
	@touch $@

$(VENV)/.for-bench: $(VENV)/.for-work
	@echo "Installing what search is measured beside ..."
	@$(INSTALL) --editable ".[gui,dev,bench]"
	@touch $@

$(ALONE)/.ready: pyproject.toml $(PINS) | $(VENV)/.for-work
	@PYTHON=$(BIN)/python packaging/make-venv.sh $(ALONE)
	@$(ALONE)/bin/python -m pip --disable-pip-version-check --quiet install --constraint $(PINS) hatchling
	@$(ALONE)/bin/python -m pip --disable-pip-version-check --quiet install --no-build-isolation --constraint $(PINS) \
		. hypothesis psutil pytest pytest-timeout
	@touch $@
