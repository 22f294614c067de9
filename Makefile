# Every task of the project. `make` alone lists them; each sets up what it needs the first time.

SHELL := /bin/bash
.DEFAULT_GOAL := help

PYTHON ?= python3
BIN := .venv/bin
INSTALLED := .venv/installed
READY := .venv/ready

# Hundreds of short Python processes start in a task. Without compiled files, each compiles the packages again, which
# takes longer than what it is started for.
unexport PYTHONDONTWRITEBYTECODE

# `make conformance TARGETS=all` installs all that can be first; with names, `TARGETS="reference aiokafka"`, only these run.
TARGETS ?=
NAMED := $(filter-out all,$(TARGETS))

# A vector may take five seconds and not ten, since decoders that hang are waited for three times a vector, and four
# targets run at a time, since who waits needs no processor.
RUN := --seconds 5 --jobs 4 --report build/report

JUDGES := from kafka_generator.oracle import target_of; from kafka_format.spec.releases import releases; \
	print(*map(target_of, releases().values()))
MACHINE := native/pyproject.toml native/setup.py $(wildcard native/source/*)
ADAPTERS := $(filter-out %/producer.py,$(wildcard adapters/*/*.py $(addprefix targets/*/,*.py broker/*.py confirm/*.py python/*.py)))

# Mypy knows programs by their names, and most adapters have the same: each line has files of different names, for one
# run. A run for each file takes four times as long. One at a time, since all write to one cache.
APART := awk -F/ '{line = seen[$$NF]++; files[line] = files[line] " " $$0} END {for (line in files) print files[line]}'

.PHONY: help conformance test tests lint drift suite format docs site oracle brokers clients schemas bench sanitize overhead lock clean

help: ## List the tasks
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

# Exit status 1 means findings in the decoders: shown, reported, and no failure of this task.
conformance: $(READY) ## Run every decoder that is ready against the vectors (TARGETS=all installs all); see build/report
	@$(BIN)/kafka-conformance targets --install $(or $(TARGETS),python) || echo "Going on with those that are ready."
	@$(BIN)/kafka-conformance run $(or $(NAMED),--ready) $(RUN) || test $$? -eq 1

# What takes seconds comes first. Pytest ends last: its closing line is the summary. Beside it runs what takes a minute
# of one processor.
test: $(INSTALLED) ## Check everything, tests as a sample; WHOLE=1 runs them all (see CONTRIBUTING.md)
	@$(MAKE) --no-print-directory -j 2 lint suite
	@$(MAKE) --no-print-directory -j 2 drift tests

# The tests of a file stay in one process, for they share what is slow to make.
tests: $(INSTALLED) ## Run the tests alone, as a sample; WHOLE=1 runs them all
	@$(BIN)/pytest -n auto --dist loadfile --no-loadscope-reorder $(if $(WHOLE),--whole) $(if $(SAMPLE),--sample $(SAMPLE))

lint: $(INSTALLED) ## Check style, types and which room may import which
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check
	@$(BIN)/lint-imports --no-cache --no-logo
	@$(BIN)/mypy
	@printf '%s\n' $(ADAPTERS) | $(APART) | xargs -L 1 $(BIN)/mypy --explicit-package-bases --no-error-summary

drift: $(INSTALLED) ## Check that generated files are what would be generated
	@$(BIN)/python generate.py --check

suite: $(INSTALLED) ## Run the conformance suite on the reference
	@$(BIN)/pytest -q conformance

format: $(INSTALLED) ## Format the code, and fix what ruff can fix
	@$(BIN)/ruff check --fix-only
	@$(BIN)/ruff format

docs: $(INSTALLED) ## Write all that is generated: vectors, pages, tables
	@$(BIN)/python generate.py

site: $(INSTALLED) ## Build the specification as a site, in build/site/html
	@$(BIN)/python -m kafka_site

oracle: $(INSTALLED) ## Run every vector through Apache Kafka's own classes (needs a JDK and Maven)
	@$(BIN)/kafka-conformance targets --install $$($(BIN)/python -c "$(JUDGES)")
	@$(BIN)/python generate.py --oracle

# Exit status 1 means that brokers differ from Kafka. One after another, or old Kafkas are late for their ZooKeeper.
brokers: $(INSTALLED) ## Run the vectors against every broker, for docs/live-brokers.md (needs Java, Maven and Go)
	@$(BIN)/kafka-conformance targets --install brokers
	@$(BIN)/kafka-conformance run brokers --jobs 1 --seconds 5 --reduce 0 --report build/brokers || test $$? -eq 1
	@$(BIN)/python generate.py --record build/brokers

# A client whose tools are not there is left out; exit status 1 of the run means that clients have bugs. Clients mostly
# wait, so four run at a time.
clients: $(INSTALLED) ## Run every consumer and producer, for docs/clients.md (needs Java, Maven, Go, Node, Rust)
	-@$(BIN)/kafka-conformance targets --install consumers producers
	@$(BIN)/kafka-conformance run consumers producers --jobs 4 --reduce 0 --report build/clients || test $$? -eq 1
	@$(BIN)/python generate.py --record build/clients

SCHEMAS := generator/kafka_generator/kafka_schemas/pom.xml

schemas: $(INSTALLED) ## Compare the layouts of the protocol with the schemas in Kafka's jars (needs Maven; 190 MB)
	@mvn -B -q -f $(SCHEMAS) -DschemaJars=$(CURDIR)/.targets/kafka-schemas generate-resources
	@$(BIN)/python generate.py --schemas .targets/kafka-schemas

bench: $(INSTALLED) ## Measure the speed, side by side with other decoders
	@test -x build/bench/bin/python || $(BIN)/python -m venv build/bench
	@build/bench/bin/pip install -q --require-hashes -r requirements/bench.lock
	-@$(BIN)/pip wheel -q --no-deps --no-build-isolation -w build/bench ./native && \
		build/bench/bin/pip install -q --no-index --no-deps --force-reinstall build/bench/*.whl
	@PYTHONPATH=reference build/bench/bin/python benchmarks/reference.py
	@PYTHONPATH=reference build/bench/bin/python benchmarks/growth.py
	@PYTHONPATH=reference build/bench/bin/python benchmarks/columnar.py
	@PYTHONPATH=reference build/bench/bin/python benchmarks/protocol.py
	@$(BIN)/python benchmarks/sampler.py

# Takes ten minutes. A share of it is in the tests. What is finished stays until the machine or its tests change, so a
# run that was stopped goes on with the next shard; -j 2 runs two at a time.
SANITIZED := build/native-sanitized
SHARDS := $(patsubst %,$(SANITIZED)/shard-%.txt,$(shell seq 0 19))

sanitize: $(SHARDS) ## Put a million mutated inputs to the layout machine, under sanitizers (needs a C compiler)
	@cat $^

$(SANITIZED)/variables: $(MACHINE) tests/fuzz/native_build.py | $(INSTALLED)
	@mkdir -p $(@D)
	@$(BIN)/python -m tests.fuzz.native_build $(@D) > $@

$(SANITIZED)/shard-%.txt: $(SANITIZED)/variables tests/fuzz/machine.py
	@env $$(cat $<) $(BIN)/python -m tests.fuzz.machine --inputs 50000 --share 20 --seed $* > $@.part || { cat $@.part; exit 1; }
	@mv $@.part $@

overhead: $(INSTALLED) ## Measure what the Spark run adds to a decoder, and a run of a million batches
	@$(BIN)/kafka-conformance targets --install kafka-python aiokafka
	@$(BIN)/kafka-conformance scale --prepare
	@$(BIN)/python benchmarks/scale.py

lock: $(INSTALLED) ## Renew requirements/*.lock with the newest releases
	@$(BIN)/python requirements/lock.py

clean: ## Remove all that was made, .venv and installed targets included
	rm -rf .venv .targets build dist .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -prune -exec rm -rf {} +

# What runs decoders is there in a quarter of the time that all takes: who only runs them need not wait for the rest.
$(READY): pyproject.toml requirements/install.py requirements/build.lock requirements/base.lock $(MACHINE)
	@command -v $(PYTHON) >/dev/null || { echo "No $(PYTHON) here: install Python 3.11 or newer." >&2; exit 2; }
	@$(PYTHON) requirements/install.py base

$(INSTALLED): pyproject.toml requirements/install.py $(wildcard requirements/*.lock) $(MACHINE)
	@command -v $(PYTHON) >/dev/null || { echo "No $(PYTHON) here: install Python 3.11 or newer." >&2; exit 2; }
	@$(PYTHON) requirements/install.py
