"""Documents checked by the schemas of spec/schema: manifests, findings, known failures, reports."""

import json
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from kafka_format.spec import data

from kafka_tools.errors import UsageError
from kafka_tools.text import one_line

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator


class Problem(NamedTuple):
    """What is wrong with a document: a JSON path such as `$.targets[0].name`, and the words."""

    place: str
    words: str


def check(document: Any, schema: str, where: str, hint: str = "") -> None:  # noqa: ANN401 - any JSON value
    """Raise an error unless a document fits a schema.

    Args:
        document: what the JSON or YAML says.
        schema: name of the schema, for example `target` for spec/schema/target.schema.json.
        where: the document, for the message.
        hint: what to do next; by default, where the schema is.

    Raises:
        UsageError: it does not fit; the text has the place and what is wrong there.
    """
    error = problem(document, schema)
    if error is not None:
        raise UsageError(
            f"{where} is wrong at {error.place}: {error.words}.", hint or f"See spec/schema/{schema}.schema.json."
        )


def problem(document: Any, schema: str) -> Problem | None:  # noqa: ANN401 - any JSON value
    """Return what is wrong with a document; None if it fits the schema."""
    from jsonschema.exceptions import best_match  # noqa: PLC0415 - 0.1 s to import, and adapters never need it

    error = best_match(_validator(schema).iter_errors(document))
    return None if error is None else Problem(error.json_path, one_line(error.message))


@cache
def _validator(schema: str) -> "Draft202012Validator":
    from jsonschema import Draft202012Validator  # noqa: PLC0415 - likewise

    file = data.path("spec") / "schema" / f"{schema}.schema.json"
    return Draft202012Validator(json.loads(file.read_text(encoding="utf-8")))
