# One command per need; `make` alone lists them.

VENV := .venv
BIN := $(VENV)/bin
PYTHON ?= python3
DEMO := data/demo
export DO_NOT_TRACK := 1

.PHONY: help install demo test test-cluster test-lmms-eval lint bench docs clean
.DEFAULT_GOAL := help

help:
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' Makefile | expand -t 14

install: $(VENV)/.installed ## the environment, in .venv

$(VENV)/.installed: pyproject.toml .ci/install
	@./.ci/install $(PYTHON) $(VENV)
	@touch $@

demo: export GAINSAY_DB := $(DEMO)/gainsay.duckdb
demo: export GAINSAY_RENDERINGS := $(DEMO)/renderings
demo: install ## the main job on a synthetic corpus of 200 images
	$(BIN)/gainsay synth $(DEMO)/corpus --images 200
	$(BIN)/gainsay land $(DEMO)/corpus
	$(BIN)/gainsay land-images $(DEMO)/corpus
	$(BIN)/dbt --quiet build --profiles-dir profiles \
		$(if $(shell command -v tesseract),,--vars '{annotate_ocr: false}')
	$(BIN)/gainsay funnel --picture $(DEMO)/funnel.png --picture $(DEMO)/funnel.svg
	$(BIN)/gainsay look --sample --out $(DEMO)/look.png
	@printf '\nThe warehouse is %s. Try:\n' $$GAINSAY_DB
	@printf '  export GAINSAY_DB=%s\n' $$GAINSAY_DB
	@printf '  $(BIN)/gainsay sql "%s"\n' \
		"select question, answer, captions_seen from audit.audit__drops where stage = 'consistency' limit 5" \
		"select variant_id, text_input, gold_answer, oracle_action from conflict_suite.conflict_suite__examples where base_id = (select min(base_id) from conflict_suite.conflict_suite__examples)" \
		"select split, family, count(*) as n from conflict_suite.conflict_suite__examples group by all order by all"

test: install ## all tests
	$(BIN)/pytest -n 2 --dist loadgroup

test-cluster: install ## a Spark cluster on loopback: same hashes, a worker killed
	$(BIN)/pytest -m cluster

# beside torch, which is why it has an environment of its own and is in no other test
test-lmms-eval: export LMMS_EVAL_PYTHON := $(abspath data/lmms-eval/bin/python)
test-lmms-eval: install ## an exported task in lmms-eval itself, which takes 7 GB
	$(PYTHON) -m venv data/lmms-eval
	data/lmms-eval/bin/pip install --quiet lmms-eval==0.7.3
	$(BIN)/pytest -m lmms_eval

# the linter compiles the models and reads no data, so any warehouse will do
lint: export GAINSAY_DB := :memory:
lint: install ## ruff, mypy and sqlfluff
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/sqlfluff lint models tests/sql

bench: install ## speed and memory at official scale, side by side
	$(BIN)/python -m tests.benchmarks

docs: install ## the documentation of every model as one page
	@mkdir -p data
	$(BIN)/dbt docs generate --static --profiles-dir profiles
	@echo "open target/static_index.html"

clean: ## everything that was generated
	rm -rf $(VENV) target logs data *.egg-info
