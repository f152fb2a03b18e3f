"""A test client for the application. It checks every answer against openapi.yaml."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from flask import Flask
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
from werkzeug.test import TestResponse

DOCUMENT: dict[str, Any] = yaml.safe_load(
    (Path(__file__).parents[2] / "openapi.yaml").read_text(encoding="utf-8")
)
DESCRIBED = ("application/json", "text/plain", "text/event-stream")

SECURITY_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
}


def resolved(node: dict[str, Any]) -> dict[str, Any]:
    while "$ref" in node:
        target: Any = DOCUMENT
        for step in node["$ref"].removeprefix("#/").split("/"):
            target = target[step]
        node = target
    return node


def path_template(path: str) -> str | None:
    for prefix in ("/static/", "/docs/"):
        if path.startswith(prefix):
            return prefix + "{name}"
    return path if path in DOCUMENT["paths"] else None


@cache
def validator(path: str | None, method: str, status: str, media: str) -> Draft202012Validator:
    operation = DOCUMENT["paths"].get(path, {}).get(method.lower())
    if operation is None:
        response = DOCUMENT["components"]["responses"]["Problem"]
    else:
        responses = operation["responses"]
        assert status in responses or "default" in responses, f"{method} {path}: no {status}"
        response = resolved(responses.get(status) or responses["default"])
    content = response["content"]
    assert media in content, f"{method} {path} {status}: {media} is not in openapi.yaml"
    schema = content[media]["schema"] | {"components": DOCUMENT["components"]}
    return Draft202012Validator(schema)


def check_against_document(method: str, path: str, response: TestResponse) -> None:
    for name, value in SECURITY_HEADERS.items():
        assert response.headers[name] == value
    assert len(response.headers.getlist("Content-Security-Policy")) == 1
    assert "X-Request-ID" in response.headers
    assert b"Traceback (most recent call last)" not in response.data
    if response.status_code in (204, 302, 304, 308) or method in ("HEAD", "OPTIONS"):
        return
    assert "Cache-Control" in response.headers
    if method == "POST":
        assert response.headers["Cache-Control"] == "no-store"
        assert "ETag" not in response.headers
    media = response.mimetype
    template = path_template(path)
    if response.status_code == 200 and media not in DESCRIBED:
        return  # files have no schema
    value = response.text
    if media in ("application/json", "application/problem+json"):
        value = document = json.loads(response.data)
        assert response.data.endswith(b"\n")
    if media == "application/problem+json":
        assert document["status"] == response.status_code
        assert document["instance"].endswith(response.headers["X-Request-ID"])
    errors = list(validator(template, method, str(response.status_code), media).iter_errors(value))
    assert not errors, f"{method} {path} {response.status_code}: {errors[0].message}"


class Api:
    def __init__(self, app: Flask) -> None:
        self.app = app
        self._client = app.test_client()

    def send(self, method: str, path: str, **options: Any) -> TestResponse:
        response = self._client.open(path, method=method, **options)
        check_against_document(method, path.partition("?")[0], response)
        return response

    def get(self, path: str, headers: dict[str, str] | None = None, **query: Any) -> TestResponse:
        return self.send("GET", path, query_string=query or None, headers=headers)

    def post(self, path: str, body: Any, headers: dict[str, str] | None = None) -> TestResponse:
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        return self.send(
            "POST", path, data=data, headers={"Content-Type": "application/json"} | (headers or {})
        )

    def answer(self, path: str, **body: Any) -> dict[str, Any]:
        response = self.post(path, body)
        assert response.status_code == 200, response.text
        answer: dict[str, Any] = json.loads(response.data)
        return answer

    def best_move(self, board: object, **options: Any) -> dict[str, Any]:
        return self.answer("/best-move", board=board, **options)

    def faults(self, path: str, body: Any) -> str:
        """Return the sorted pointers to what a request is refused for, joined by spaces."""
        response = self.post(path, body)
        assert response.status_code == 422, response.text
        return pointers(response)


def document(response: TestResponse) -> Any:
    return json.loads(response.data)


def pointers(response: TestResponse) -> str:
    """Return the sorted pointers or parameters of a refusal's faults, joined by spaces."""
    errors = document(response)["errors"]
    return " ".join(sorted(error.get("pointer", error.get("parameter")) for error in errors))
