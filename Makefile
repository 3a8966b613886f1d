# Every target sets up what it needs. A second run sets nothing up again.
PYTHON ?= python3
VENV := .venv
HAWSER := $(VENV)/bin/hawser
LOCKS := tooling/locks

export PIP_DISABLE_PIP_VERSION_CHECK := 1

.DEFAULT_GOAL := help
ENV_GOALS := plan show approve apply destroy check-env render

# ENV must be given: a plan of the wrong environment is worse than a message.
ifneq ($(filter $(ENV_GOALS),$(MAKECMDGOALS)),)
ifeq ($(ENV),)
$(error Say which environment: make $(firstword $(MAKECMDGOALS)) ENV=local)
endif
endif

.PHONY: help $(ENV_GOALS) doctor test check lint format docs fixtures checkov-facts locks clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-13s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

plan: $(VENV)/.toolkit ## ENV=…: plan an environment and judge the plan
	@$(HAWSER) plan $(ENV)
show: $(VENV)/.toolkit ## ENV=…: show the newest plan of each stack
	@$(HAWSER) show $(ENV)
approve: $(VENV)/.toolkit ## ENV=…: approve exactly what was reviewed
	@$(HAWSER) approve $(ENV)
apply: $(VENV)/.toolkit ## ENV=…: apply exactly what was approved
	@$(HAWSER) apply $(ENV)
destroy: $(VENV)/.toolkit ## ENV=…: destroy an environment by the same path
	@$(HAWSER) destroy $(ENV)
check-env: $(VENV)/.toolkit ## ENV=…: check contract and environment
	@$(HAWSER) check $(ENV)
render: $(VENV)/.toolkit ## ENV=…: write its generated files
	@$(HAWSER) render $(ENV)
doctor: $(VENV)/.toolkit ## What was found on this machine, and what is wrong
	@$(HAWSER) doctor

test: $(VENV)/.dev ## Run the tests (real terraform, checkov and emulator; no AWS account)
	@$(VENV)/bin/pytest -n auto --dist worksteal $(TESTS)
check: $(VENV)/.dev ## Everything that CI runs
	@$(MAKE) -s --no-print-directory -j2 lint test
lint: $(VENV)/.dev ## Lint and types
	@$(VENV)/bin/ruff check -q tooling tests benchmarks
	@$(VENV)/bin/ruff format -q --check tooling tests benchmarks
	@$(VENV)/bin/mypy
format: $(VENV)/.dev ## Format Python and Terraform
	@$(VENV)/bin/ruff check -q --fix tooling tests benchmarks
	@$(VENV)/bin/ruff format -q tooling tests benchmarks
	@terraform fmt -recursive terraform modules
docs: $(VENV)/.toolkit ## Write the generated documents
	@$(VENV)/bin/python -m hawser.cli.docs
fixtures: $(VENV)/.dev ## Make the rules' fixtures again from real plans
	@PYTHONPATH=tooling $(VENV)/bin/python tests/policy/make_fixtures.py
checkov-facts: $(VENV)/.toolkit ## Ask the pinned checkov anew which checks it has
	@$(VENV)/bin/python -m hawser.cli.checkov_facts
locks: $(VENV)/.dev ## Compile the hash locks again from tooling/locks/*.in
	@PATH="$(CURDIR)/$(VENV)/bin:$$PATH" sh $(LOCKS)/compile.sh
clean: ## Remove what was set up (environments, emulator, bundles)
	@if [ -x $(HAWSER) ]; then $(HAWSER) emulator down; fi
	@rm -rf $(VENV) .hawser

$(VENV)/.toolkit: $(LOCKS)/toolkit.txt pyproject.toml
	@command -v $(PYTHON) >/dev/null || { echo "hawser: $(PYTHON) is not there; install Python 3.11 or newer, or name one: make PYTHON=/path/to/python3.12 $(MAKECMDGOALS)" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "hawser: Python 3.11 or newer is needed and $(PYTHON) is older; name another: make PYTHON=/path/to/python3.12 $(MAKECMDGOALS)" >&2; exit 1; }
	@echo "setting up the toolkit in $(VENV) (once)" >&2
	@rm -rf $(VENV) && $(PYTHON) -m venv $(VENV)
	@$(VENV)/bin/pip install -qq --require-hashes -r $(LOCKS)/toolkit.txt
	@$(VENV)/bin/pip install -qq --no-deps --no-build-isolation --no-index -e .
	@touch $@

$(VENV)/.dev: $(VENV)/.toolkit $(LOCKS)/dev.txt
	@echo "setting up what tests need (once)" >&2
	@$(VENV)/bin/pip install -qq --require-hashes -r $(LOCKS)/dev.txt
	@touch $@
