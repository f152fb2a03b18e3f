"""openapi.yaml is what `make document` makes from the code, and it agrees with the service."""

import json
import re
from collections.abc import Iterator
from importlib.resources import files
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
from marshmallow import Schema
from openapi_spec_validator import validate

import describing
from bestmove.api import problems, schemas
from bestmove.server import refusals
from tests.api.conftest import MakeApi
from tests.api.http import DOCUMENT, Api, resolved
from tests.game.test_cases import CASES

SCHEMAS: dict[str, Any] = DOCUMENT["components"]["schemas"]

ABSTRACT = {"Request", "GameFields", "OptionFields", "PositionFields", "MoveFields"}
REQUESTS = {
    name
    for name, value in vars(schemas).items()
    if isinstance(value, type) and issubclass(value, Schema) and value is not Schema
} - ABSTRACT


def test_what_is_made_from_the_code_is_up_to_date() -> None:
    for path, text in describing.made():
        assert path.read_text(encoding="utf-8") == text, f"{path.name}: run `make document`"


def test_the_document_is_valid_openapi_3_1() -> None:
    assert DOCUMENT["openapi"].startswith("3.1")
    validate(DOCUMENT)


def test_the_package_serves_the_document(api: Api) -> None:
    assert yaml.safe_load(files("bestmove").joinpath("openapi.yaml").read_bytes()) == DOCUMENT
    response = api.get("/openapi.yaml")
    assert response.mimetype == "application/yaml"
    assert response.data == files("bestmove").joinpath("openapi.yaml").read_bytes()
    assert api.get("/openapi.json").json == DOCUMENT
    for path in ("/openapi.yaml", "/openapi.json"):
        assert api.get(path).headers.getlist("Vary") == ["Accept-Encoding"]


def test_the_served_document_has_the_limits_of_its_server(make_api: MakeApi) -> None:
    short = make_api(max_time_ms=500, max_body_bytes=3000)
    for path in ("/openapi.json", "/openapi.yaml"):
        served = yaml.safe_load(short.get(path).data)
        validate(served)
        assert served["components"]["schemas"]["TimeMs"]["maximum"] == 500
        assert served["components"]["schemas"]["StreamTimeMs"]["maximum"] == 60_000
    long = json.loads(make_api(max_time_ms=90_000).get("/openapi.json").data)
    assert long["components"]["schemas"]["StreamTimeMs"]["maximum"] == 90_000
    limits = yaml.safe_load(short.get("/games").data)["limits"]
    assert (limits["time_ms"], limits["body_bytes"]) == (500, 3000)
    assert short.faults("/best-move", {"board": ".........", "time_ms": 501}) == "/time_ms"


def test_answers_are_open_and_requests_are_closed() -> None:
    requests = {*REQUESTS, "TreeObject"}
    closed = {name for name, found in SCHEMAS.items() if "additionalProperties" in found}
    assert closed == requests
    assert all(SCHEMAS[name]["additionalProperties"] is False for name in requests)
    assert json.dumps(SCHEMAS).count("additionalProperties") == len(requests)
    # With a default, generated types would treat an optional field as always present.
    assert "default" not in json.dumps(SCHEMAS).split('"')
    assert "Answers may gain fields" in DOCUMENT["info"]["description"]


PAGES = {"/", "/static/{name}", "/docs", "/docs/", "/docs/{name}", "/favicon.ico"}
"""Paths for browsers. openapi.yaml describes only paths for programs."""


def routes(api: Api) -> set[tuple[str, str]]:
    found = {
        (rule.rule.replace("<path:name>", "{name}"), method)
        for rule in api.app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }
    assert {path for path, _ in found} >= PAGES
    return {(path, method) for path, method in found if path not in PAGES}


def operations() -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, methods in DOCUMENT["paths"].items():
        for method, operation in methods.items():
            yield path, method.upper(), operation


def test_every_route_is_described_and_every_description_has_a_route(api: Api) -> None:
    assert routes(api) == {(path, method) for path, method, _ in operations()}


def test_the_bounds_that_no_field_has_are_those_of_the_code() -> None:
    assert SCHEMAS["Moves"]["anyOf"][1]["maxItems"] == schemas.MOST_CELLS
    assert SCHEMAS["Cells"]["items"]["maximum"] == schemas.MOST_CELLS - 1
    assert SCHEMAS["BoardString"]["maxLength"] == 10 * schemas.MOST_CELLS
    assert SCHEMAS["Boards"]["maxItems"] == schemas.MOST_BOARDS
    assert SCHEMAS["Errors"]["maxItems"] == problems.MOST_ERRORS


def test_the_pattern_of_a_board_allows_every_text_that_the_notation_reads() -> None:
    pattern = re.compile(SCHEMAS["BoardString"]["pattern"])
    for case in CASES:
        if isinstance(case.get("board"), str) and "fault" not in case:
            assert pattern.match(case["board"]), case
    for text in ("Z........", "X%......."):
        assert not pattern.match(text)


def problem_examples(node: Any) -> Iterator[dict[str, Any]]:
    if isinstance(node, dict):
        if str(node.get("type", "")).startswith("urn:bestmove:problem:"):
            yield node
        for value in node.values():
            yield from problem_examples(value)
    elif isinstance(node, list):
        for value in node:
            yield from problem_examples(value)


def test_every_kind_of_problem_has_an_example_with_its_title_and_status() -> None:
    examples = problem_examples(DOCUMENT["components"])
    described = {(each["type"], each["status"], each["title"]) for each in examples}
    in_code = {(kind.type, kind.status, kind.title) for kind in problems.KINDS}
    assert described == in_code - {k for k in in_code if k[1] == 500}


def test_every_kind_of_problem_is_named() -> None:
    kinds = {*problems.KINDS, *(k for k in vars(refusals).values() if isinstance(k, problems.Kind))}
    described = SCHEMAS["Problem"]["properties"]["type"]["description"]
    assert [kind.name for kind in kinds if f"`{kind.name}`" not in described] == []


def media_types() -> Iterator[tuple[str, dict[str, Any]]]:
    for path, method, operation in operations():
        for media in operation.get("requestBody", {}).get("content", {}).values():
            yield f"{method} {path}", media
        for status, response in operation["responses"].items():
            for media in resolved(response).get("content", {}).values():
                yield f"{method} {path} {status}", media


def examples_of(media: dict[str, Any]) -> list[Any]:
    found = [resolved(example)["value"] for example in media.get("examples", {}).values()]
    return found + ([media["example"]] if "example" in media else [])


@pytest.mark.parametrize(
    ("place", "media"), [*media_types()], ids=[place for place, _ in media_types()]
)
def test_every_body_has_an_example_and_it_is_valid(place: str, media: dict[str, Any]) -> None:
    if place.endswith("{name} 200"):
        return
    schema = media["schema"] | {"components": DOCUMENT["components"]}
    examples = examples_of(media)
    assert examples
    for example in examples:
        Draft202012Validator(schema).validate(example)


def test_every_parameter_and_header_has_a_valid_example() -> None:
    components = DOCUMENT["components"]
    for part in ("parameters", "headers"):
        for described in components[part].values():
            schema = described["schema"] | {"components": components}
            Draft202012Validator(schema).validate(described["example"])


def posts() -> Iterator[tuple[str, Any]]:
    for path, method, operation in operations():
        if method == "POST":
            content = operation["requestBody"]["content"]
            for request in content["application/json"]["examples"].values():
                yield path, resolved(request)["value"]


@pytest.mark.parametrize(("path", "body"), [*posts()], ids=repr)
def test_every_example_of_a_request_works(api: Api, path: str, body: Any) -> None:
    assert api.post(path, body).status_code == 200


def test_keys_come_in_the_documents_order(api: Api) -> None:
    for path, body, name in (
        ("/best-move", {"board": "X...O...."}, "BestMoveAnswer"),
        ("/best-move", {"board": "X.../..../..../...O", "k": 3, "depth": 2}, "BestMoveAnswer"),
        ("/analyze", {"board": "X...O...."}, "AnalysisAnswer"),
        ("/proof", {"board": "X...O...."}, "Proven"),
        ("/game-tree", {"tree": [1, 2]}, "GameTree"),
    ):
        keys = list(json.loads(api.post(path, body).data))
        assert keys == [key for key in properties(SCHEMAS[name]) if key in keys]


def properties(schema: dict[str, Any]) -> list[str]:
    """Return the names of a schema's fields in order, inherited fields first."""
    schema = resolved(schema)
    inherited = [name for part in schema.get("allOf", []) for name in properties(part)]
    return inherited + list(schema.get("properties", {}))
