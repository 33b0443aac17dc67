# demo and test are the two commands of the README; check is what CI runs.
PYTHON ?= python3
# Language pair for `make models`: foreign language, then the language of the pairs.
PAIR ?= fr-en
# The rooms of the program: `make test ROOM=discourse` runs the tests of one, `make test` those of all else.
ROOMS := discourse research
ROOM ?=
# Preset of the filters whose models `make models` downloads.
PRESET ?= strict
VENV := .venv
RUN := $(VENV)/bin
# Processes share the tests; those of a file or a group (tests/conftest.py) stay together, in their order. System tests
# wait for servers, so a third process keeps two cores busy.
PYTEST := $(RUN)/python -m pytest --dist loadfile --no-loadscope-reorder --durations=20 --durations-min=5
export PREFECT_SERVER_ANALYTICS_ENABLED ?= false
export DO_NOT_TRACK ?= 1
# Compiled files are kept: without them each of the many processes of the tests compiles what it imports.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help demo test system docs check nightly every-test lint types contracts links setup serve stop screenshots quality parsers models audit clean

help:  ## Print the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

demo: $(VENV)/.setup  ## Build a small corpus, offline, with real models
	$(RUN)/python quickstart/demo.py

# The folders of the tests of some rooms.
tests-of = $(foreach room,$(1),$(wildcard tests/$(room) tests/flows/$(room)))
no-such-room = $(error ROOM is one of: $(ROOMS))

test: $(VENV)/.setup  ## Run the core's tests without server and browser, or all of a room: make test ROOM=discourse
	$(PYTEST) -n 2 $(if $(filter-out $(ROOMS),$(ROOM)),$(no-such-room)) \
	  $(if $(ROOM),-m "not nightly" $(call tests-of,$(ROOM)),$(addprefix --ignore=,$(call tests-of,$(ROOMS))))

system: $(VENV)/.setup  ## Run the tests that do (Chromium if installed)
	$(PYTEST) -n 3 -m "system and not nightly"

docs: $(VENV)/.setup  ## Make the documents a site with search in build/site, and look for dead links
	NO_MKDOCS_2_WARNING=1 $(RUN)/mkdocs build

# The tests, and beside them one after the other what checks types, imports and documents.
check: lint  ## Run everything that CI runs (8 minutes on two cores)
	$(MAKE) --jobs=2 every-test types contracts docs

every-test: $(VENV)/.setup
	$(PYTEST) -n 3 -m "not nightly"

nightly: $(VENV)/.setup  ## Run what takes too long for that: all documents, real data, lost machines (25 minutes)
	$(PYTEST) -n 2 -m nightly

lint: $(VENV)/.setup
	$(RUN)/ruff format --check .
	$(RUN)/ruff check .
	$(RUN)/deptry $(dir $(wildcard */__init__.py)) src

types: $(VENV)/.setup links
	$(RUN)/mypy

contracts: $(VENV)/.setup links
	PYTHONPATH=build/types $(RUN)/lint-imports

# The folders are one package when they are installed (pyproject.toml). Tools that read source find it through links:
# mypy, import-linter, and editors with build/types as an extra path.
links:
	@rm -rf build/types && mkdir -p build/types/bitext_pivot
	@cd build/types/bitext_pivot && ln -s $(addprefix ../../../,$(wildcard src/bitext_pivot/*) $(patsubst %/,%,$(dir $(wildcard */__init__.py)))) .

serve: $(VENV)/.setup  ## Start the Prefect server, a worker and all deployments, on this machine only
	$(RUN)/bitext-pivot serve

stop: $(VENV)/.setup  ## Stop what `make serve` started
	$(RUN)/bitext-pivot stop

screenshots: demo  ## Update the screenshots of the documents (needs Chromium)
	BITEXT_PIVOT_SCREENSHOTS=docs/images $(RUN)/python -m pytest -m system --basetemp=/tmp/bitext-pivot-pictures tests/deployments/test_browser.py tests/research/test_judgement_browser.py tests/corpus/test_inspector_browser.py::test_pictures

quality: $(VENV)/.setup  ## Measure the figures of benchmarks/results anew, or some with ONLY="filters categories"
	$(RUN)/python benchmarks/page.py $(ONLY)

parsers: $(VENV)/.setup  ## Train small parsers of five languages in data/parsers from treebanks in UD=FOLDER (8 minutes of one core)
	PYTHONPATH=. $(RUN)/python quickstart/train/small.py $(UD) data/parsers

models: $(VENV)/.setup  ## Download every model that a language pair needs: make models PAIR=fr-en PRESET=checked
	$(RUN)/bitext-pivot models $(subst -, ,$(PAIR)) --preset $(PRESET)

audit:  ## Look the pinned versions up among known vulnerabilities (needs pip-audit and a network)
	pip-audit --disable-pip --no-deps --requirement constraints.txt

setup: $(VENV)/.setup  ## Create the virtual environment with pinned versions

$(VENV)/.setup: pyproject.toml constraints.txt quickstart/encoder.txt quickstart/uv.txt
	$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed, this is " + sys.version.split()[0] if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv $(VENV)
	@echo "Installing the pinned packages into $(VENV), once: PyTorch and about 260 others."
	quickstart/install.sh $(VENV)
	@$(MAKE) --no-print-directory links -o $@
	touch $@

clean:  ## Delete what the demo and the tests left behind
	rm -rf demo build .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
