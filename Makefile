# One command per need; `make` alone lists them.

VENV := .venv
BIN := $(VENV)/bin
PYTHON ?= python3
DEMO := data/demo
export DO_NOT_TRACK := 1

.PHONY: help install install-test demo quick test test-all test-wheel test-browser test-cluster test-inspect test-lmms-eval lint lint-python lint-sql bench docs lock clean collect process generate translate validate_dataset
.DEFAULT_GOAL := help

help:
	@sed -n 's/^\([a-z_-]*\):.*## /\1\t/p' Makefile | expand -t 18

install: $(VENV)/.installed ## the programs gainsay, dbt and python in .venv/bin, and the pages for people

$(VENV)/.installed: pyproject.toml constraints.txt .ci/install
	@./.ci/install $(PYTHON) $(VENV) review,plots
	@touch $@

# tests and linters, Spark, and the programs that they need
install-test: $(VENV)/.installed-test

$(VENV)/.installed-test: $(VENV)/.installed .ci/install-programs
	@./.ci/install $(PYTHON) $(VENV) test,lint
	@./.ci/install-programs
	@touch $@

demo: install ## a first result: three benchmarks on a synthetic corpus of 200 images
	@$(BIN)/gainsay demo --folder $(DEMO)

# BASE names a commit: what changed since, beside what is not committed
quick: install-test ## under a minute: lint and unit tests of what changed, tests without a warehouse
	@./.ci/quick $(BASE)

# bytecode is kept even where Python is told to write none: each worker compiles for ten seconds else
test test-all: export PYTHONDONTWRITEBYTECODE :=
test: install-test ## the tests of every day
	$(BIN)/pytest -n 3 --dist loadgroup --no-loadscope-reorder --durations=25 \
		-m 'not long and not browser and not cluster and not lmms_eval and not inspect and not wheel'

test-all: install-test ## these and what is slow by nature: Spark, kills, copies, the wheel, pages in Chromium
	@./.ci/install-browser
	$(BIN)/pytest -n 3 --dist loadgroup --no-loadscope-reorder --durations=60 \
		-m 'not cluster and not lmms_eval and not inspect'

test-wheel: install-test ## of these the wheel and the steps of the Dockerfile, each in an empty folder
	$(BIN)/pytest -m wheel

test-browser: install-test ## of these the pages alone, in Chromium, with the network off
	@./.ci/install-browser
	$(BIN)/pytest -m browser

test-cluster: install-test ## a Spark cluster on loopback: same hashes, a worker killed
	$(BIN)/pytest -m cluster

test-inspect: export INSPECT_PYTHON := $(abspath data/inspect/bin/python)
test-inspect: install-test ## a released task in inspect_ai itself, in an environment of its own
	$(PYTHON) -m venv data/inspect
	data/inspect/bin/pip install --quiet inspect-ai==0.3.285 nltk pyarrow
	$(BIN)/pytest -m inspect

# beside torch, which is why it has an environment of its own and is in no other test
test-lmms-eval: export LMMS_EVAL_PYTHON := $(abspath data/lmms-eval/bin/python)
test-lmms-eval: install-test ## an exported task in lmms-eval itself, which takes 7 GB
	$(PYTHON) -m venv data/lmms-eval
	data/lmms-eval/bin/pip install --quiet lmms-eval==0.7.3 'filelock<3.21'
	$(BIN)/pytest -m lmms_eval

lint: install-test ## ruff, mypy and sqlfluff
	@$(MAKE) --no-print-directory --jobs 2 --output-sync lint-python lint-sql

lint-python:
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

# the linter compiles the models and reads no data, so any warehouse will do
lint-sql: export GAINSAY_DB := :memory:
lint-sql:
	$(BIN)/sqlfluff lint --processes 2 models analyses tests/sql
	$(BIN)/sqlfluff lint --templater raw gainsay ingest

bench: install-test ## speed and memory at official scale, side by side
	$(BIN)/python -m tests.benchmarks

docs: install ## every model on one page, and the rules of each benchmark (docs/generated)
	@mkdir -p data
	$(BIN)/dbt docs generate
	$(BIN)/python docs/generate.py target
	@echo "open target/static_index.html"

lock: install-test ## renew constraints.txt
	$(BIN)/uv pip compile pyproject.toml --all-extras --universal --python-version 3.11 \
		--upgrade --no-annotate --custom-compile-command 'make lock' \
		--quiet --output-file constraints.txt

# the stages of VLM Reality Check, each of which may be run again and writes its files into DELIVERY.
# COLLECTED is the folder for pictures that are fetched; OPENIMAGES and YFCC name files that their
# authors publish, OWN a folder of one's own pictures, and each may be empty. VARS are the build's
COLLECTED := data/collected
DELIVERY := data/reality_check
OPENIMAGES :=
YFCC :=
OWN :=
VARS := {}
# the seeds that an export writes as configs/, at every stage
CONFIGURATION := reality_check_biases reality_check_compound_combinations reality_check_languages
# what a stage makes; the next stages read it as it is
COLLECTED_MODELS := +reality_check__images +reality_check__licensed_images
PROCESSED_MODELS := +images__annotations +reality_check__objects +reality_check__scenes
GENERATED_MODELS := +reality_check__challenges
TRANSLATED_MODELS := +reality_check__multilingual +reality_check__controls \
	+reality_check__record_questions +reality_check__translation_sample

collect: install ## Reality Check: list images of what has its settings, choose, fetch and land them
	$(if $(GAINSAY_CONTACT),$(BIN)/gainsay collect list wikimedia,\
	@echo "left out: wikimedia, because GAINSAY_CONTACT does not say who asks")
	$(BIN)/gainsay collect list streetview
	$(if $(OPENIMAGES),$(BIN)/gainsay collect list openimages $(OPENIMAGES),\
	@echo "left out: openimages, because OPENIMAGES names no files")
	$(if $(YFCC),$(BIN)/gainsay collect list yfcc $(YFCC),\
	@echo "left out: yfcc, because YFCC names no files")
	$(if $(OWN),$(BIN)/gainsay land-images $(OWN),\
	@echo "left out: pictures of your own, because OWN names no folder")
	$(BIN)/dbt build --select +reality_check__wanted_images --vars '$(VARS)'
	$(BIN)/gainsay collect fetch $(COLLECTED)
	if [ -d $(COLLECTED)/raw/images ]; then $(BIN)/gainsay land-images $(COLLECTED)/raw/images; fi
	$(BIN)/dbt build --select $(COLLECTED_MODELS) $(CONFIGURATION) --vars '$(VARS)'
	$(BIN)/gainsay reality-check export --stage collect $(DELIVERY)

process: install ## Reality Check: annotate the images
	$(BIN)/dbt build --select $(PROCESSED_MODELS) --exclude $(COLLECTED_MODELS) --vars '$(VARS)'
	$(BIN)/gainsay reality-check export --stage process $(DELIVERY)

generate: install ## Reality Check: pairs and challenges
	$(BIN)/dbt build --select $(GENERATED_MODELS) --exclude $(COLLECTED_MODELS) $(PROCESSED_MODELS) \
		--vars '$(VARS)'
	$(BIN)/gainsay reality-check export --stage generate $(DELIVERY)

translate: install ## Reality Check: questions in five languages
	$(BIN)/dbt build --select $(TRANSLATED_MODELS) --exclude $(COLLECTED_MODELS) \
		$(PROCESSED_MODELS) $(GENERATED_MODELS) --vars '$(VARS)'
	$(BIN)/gainsay reality-check export --stage translate $(DELIVERY)

validate_dataset: install ## Reality Check: all files, and the quality gates; ends with 1 unless all pass
	$(BIN)/dbt build --select +reality_check__quality_gates --exclude $(COLLECTED_MODELS) \
		$(PROCESSED_MODELS) $(GENERATED_MODELS) $(TRANSLATED_MODELS) --vars '$(VARS)'
	$(BIN)/gainsay reality-check validate $(DELIVERY)

clean: ## everything that was generated
	rm -rf $(VENV) build dist target logs data *.egg-info
