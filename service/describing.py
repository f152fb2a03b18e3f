"""Makes openapi.yaml, the types of client.js and the annotated answer of docs/http.md.

`make document` runs it.

The parts of openapi.yaml and their sources:

- the schemas of requests: the fields of `bestmove.api.schemas`, by apispec;
- the schemas of answers: the classes of `bestmove.answers` and their docstrings;
- the examples of answers: the service itself;
- all else: describing.yaml, called the frame.
"""

from __future__ import annotations

import ast
import inspect
import json
import re
import textwrap
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final, get_args

import yaml
from apispec import APISpec
from apispec.ext.marshmallow import MarshmallowPlugin
from marshmallow import fields

from bestmove import answers, words
from bestmove.api import schemas
from bestmove.api.app import create_app
from bestmove.api.settings import Settings
from bestmove.game import board, marks
from bestmove.game.rules import LETTERS, SWITCHES
from bestmove.version import __version__

Json = dict[str, Any]

PACKAGE: Final = Path(__file__).parent / "bestmove"
DOCUMENT: Final = PACKAGE / "openapi.yaml"
CLIENT: Final = PACKAGE / "web" / "client.js"
GUIDE: Final = PACKAGE.parents[1] / "docs" / "http.md"
_FRAME: Final = Path(__file__).with_suffix(".yaml")

_REQUESTS: Final = (
    schemas.PositionRequest,
    schemas.AnalysisRequest,
    schemas.PlayRequest,
    schemas.ProofRequest,
    schemas.BatchRequest,
    schemas.BatchBoard,
    schemas.TreeRequest,
    schemas.CellInput,
)
_FIRST: Final = ("board", "moves", "move", "boards", "tree")
"""These fields come first in the schema of a request."""

_ANSWERS: Final = (
    answers.Move,
    answers.Reason,
    answers.SearchStats,
    answers.GameRules,
    answers.GameState,
    answers.BestMove,
    answers.MoveEvaluation,
    answers.Threat,
    answers.Analysis,
    answers.VisitedNode,
    answers.GameTree,
    answers.NamedGame,
    answers.Games,
    answers.Proven,
)
_PLAIN: Final = {"str": "string", "bool": "boolean", "float": "number", "int": "integer"}
_ELAPSED: Final = re.compile(r'("elapsed_ms": ?)[\d.]+')
_WIDTH: Final = 100
_REQUEST_ID: Final = "9f0c61d2a4b7e835"

_BEGIN: Final = "// `make document` writes these types from the schemas of the service:\n"
_END: Final = "// End of the part that `make document` makes.\n"

_ANNOTATED: Final = ("<!-- `make document` writes this block. -->\n```jsonc\n", "```\n")
_EXPANDED: Final = ("reason", "search")
"""The annotated answer explains the fields of these objects, too."""


def document() -> Json:
    frame: Json = yaml.safe_load(_FRAME.read_text(encoding="utf-8"))
    frame["info"]["version"] = __version__
    parts = frame["components"]
    plugin = MarshmallowPlugin()
    spec = APISpec("", "", frame["openapi"], info=frame["info"], plugins=[plugin])
    made = _Requests(spec, plugin)
    _add_answers(spec, parts["schemas"])
    parts["schemas"]["BoardString"]["pattern"] = rf"^([{_of_boards()}]+|[^\[(]*[\[(][\s\S]+)$"
    for name, schema in parts["schemas"].items():
        spec.components.schema(name, schema)
    found: Json = spec.to_dict()["components"]["schemas"]
    for kind in _REQUESTS:
        found[kind.__name__] = _closed(found[kind.__name__], kind)
    parts["schemas"] = found
    parts |= {name: _answered(parts[name]) for name in ("responses", "examples")}
    del frame["shared"]
    for methods in frame["paths"].values():
        for operation in methods.values():
            given = operation.get("parameters")
            if isinstance(given, dict):
                request = found[given["fields"]]
                listed = made.in_query(request, given, parts["parameters"])
                operation["parameters"] = list(listed)
            of = operation["responses"]
            operation["responses"] = {status: of[status] for status in sorted(of)}
    return frame


def _of_boards() -> str:
    """Return the characters of a board as text, unless the text is a list: marks, layout, names of
    columns and rows. They are escaped as in a regular expression."""
    signs = "".join(x + o for x, o in marks.KINDS.values()) + marks.EMPTY_SIGNS + marks.EMPTY_MARKS
    names = LETTERS + LETTERS.upper() + "0123456789"
    others = "○|/:= \t\r\n\ufeff" + "".join(map(chr, marks.SELECTORS))
    escaped = {
        character.encode("unicode_escape").decode() if character < "\U00010000" else character
        for character in signs + names + others
    }
    return r"\u2500-\u257f\-" + "".join(sorted(escaped - {"-"}))


class _Requests:
    def __init__(self, spec: APISpec, plugin: MarshmallowPlugin) -> None:
        self.spec = spec
        self.fields: dict[str, fields.Field[Any]] = {}
        converter = plugin.converter
        assert converter is not None
        refer: Any = converter.add_attribute_function
        refer(lambda _, field, ret: self._refer(field, ret))
        for kind in _REQUESTS:
            spec.components.schema(kind.__name__, schema=kind())

    def _refer(self, field: fields.Field[Any], schema: Json) -> Json:
        """Move a field's schema to the document's components, and return a reference to it."""
        name = field.metadata["schema"] or _camel(str(field.name))
        if name not in self.fields:
            self.fields[name] = field
            if isinstance(field, schemas.Integer):
                whole = {"format": "int64"} if field.most > 2**53 else {}
                shape = {"type": "integer", **whole, "minimum": field.least, "maximum": field.most}
            elif isinstance(field, schemas.Choice):
                shape = {"type": "string", "enum": list(field.values)}
            else:
                shape = {"type": "boolean"} if isinstance(field, schemas.Boolean) else {}
            if shape:
                text = field.metadata["description"]
                self.spec.components.schema(name, {"description": text, **shape})
        schema.clear()
        return _ref(name)

    def in_query(self, request: Json, given: Json, parameters: Json) -> Iterator[Json]:
        """Yield references to the parameters of a GET, and add the parameters to `parameters`.

        Args:
            request: the schema of the POST.
            given: the GET's entry in describing.yaml; `but` lists the fields that a GET refuses.
            parameters: the document's parameters by name.
        """
        for field, schema in request["properties"].items():
            if field not in given.get("but", ()):
                # Only a POST has `StreamTimeMs`; a GET has `TimeMs`.
                name = _name(schema).removeprefix("Stream")
                made = {"name": field, "in": "query", "schema": _ref(name)}
                kind = self.fields[name]
                if isinstance(kind, schemas.Choice):
                    made["example"] = kind.values[0]
                elif isinstance(kind, schemas.Boolean):
                    made["example"] = SWITCHES[field].default
                elif isinstance(kind, schemas.Integer):
                    made["example"] = min(3, kind.most)
                parameters[name] = made | parameters.get(name, {})
                yield {"$ref": f"#/components/parameters/{name}"}
        for name in ("IfNoneMatch", "LastEventId"):
            yield {"$ref": f"#/components/parameters/{name}"}


def _closed(schema: Json, kind: type[schemas.Request]) -> Json:
    own = schema["properties"]
    names = [name for name in _FIRST if name in own] + [name for name in own if name not in _FIRST]
    closed: Json = {"type": "object", "additionalProperties": False}
    if kind in (schemas.CellInput, schemas.BatchBoard):
        closed = {"description": _words_of(kind), **closed}
    if "required" in schema:
        closed["required"] = schema["required"]
    if {"board", "moves"} <= set(own):
        both: Json = {"board": {}, "moves": {}}
        closed["not"] = {"required": list(both), "properties": both}
    return closed | {"properties": {name: own[name] for name in names}}


def _add_answers(spec: APISpec, shapes: Json) -> None:
    """Add the schemas of answers and of their fields' types.

    `shapes`: the schemas in describing.yaml. They get descriptions from the code.
    """
    for name, text in _named_types().items():
        if name in shapes:
            shapes[name] = {"description": text} | shapes[name]
        else:
            spec.components.schema(name, {"description": text} | _shape_of_type(name))
    for kind in _ANSWERS:
        name, base = kind.__name__, kind.__bases__[0]
        own = dict(_own_fields(kind))
        cost = own.pop("search") if base is answers.Answer else None
        schema: Json = {"type": "object"}
        if needed := [each for each in own if not _is_optional(kind, each)]:
            schema["required"] = needed
        schema["properties"] = own
        text = _words_of(kind)
        if base is answers.Move:
            schema = {"allOf": [_ref(base.__name__), schema]}
        spec.components.schema(name, {"description": text, **schema})
        if cost is not None:
            more = {"type": "object", "required": ["search"], "properties": {"search": cost}}
            whole = {"description": f"{text} With the cost of the search."}
            spec.components.schema(f"{name}Answer", whole | {"allOf": [_ref(name), more]})


def _own_fields(kind: type[answers.Record]) -> Iterator[tuple[str, Json]]:
    found: dict[str, tuple[ast.expr | None, str]] = {}
    for one in reversed(kind.__mro__[:-1]):
        found |= _annotated(one)
    inherited = _annotated(answers.Move) if kind is answers.MoveEvaluation else ()
    cell = schemas.CellInput().fields
    for name, _ in answers._sent(kind):  # type: ignore[arg-type] # a class is hashable
        annotation, text = found[name]
        if name in inherited:
            continue
        if name in schemas.GameFields().fields:
            yield name, _ref(_camel(name))
        elif name in cell and kind is answers.Move:
            yield name, _ref(cell[name].metadata["schema"])
        else:
            assert annotation is not None
            shape = _shape(annotation)
            if _is_optional(kind, name):
                text = f"{text} Absent otherwise."
                if isinstance(annotation, ast.BinOp):
                    shape = _shape(annotation.left)
                elif shape == {"type": "boolean"}:
                    shape["const"] = True
            yield name, _described(shape, _unwrapped(text))


def _annotated(kind: type) -> dict[str, tuple[ast.expr | None, str]]:
    """Return the annotation and the docstring of each field and property of a class."""
    (body,) = (
        node.body
        for node in _module(answers).body
        if isinstance(node, ast.ClassDef) and node.name == kind.__name__
    )
    found: dict[str, tuple[ast.expr | None, str]] = {}
    for node, after in zip(body, [*body[1:], None], strict=True):
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            found[node.target.id] = node.annotation, _docstring(after)
        elif isinstance(node, ast.FunctionDef) and node.decorator_list:
            found[node.name] = node.returns, ast.get_docstring(node) or ""
    return found


def _is_optional(kind: type[answers.Record], name: str) -> bool:
    each = kind.__dataclass_fields__.get(name)
    return each is not None and bool(each.metadata.get("optional"))


def _shape(annotation: ast.expr) -> Json:
    match annotation:
        case ast.BinOp(left=inner, right=ast.Constant() | ast.Name(id="MaybeNone")):
            shape = _shape(inner)
            if isinstance(inner, ast.Name) and inner.id in _PLAIN:
                return shape | {"type": [shape["type"], "null"]}
            return {"anyOf": [shape, {"type": "null"}]}
        case ast.Subscript(value=ast.Name(id="tuple"), slice=ast.Tuple(elts=[item, _])):
            return {"type": "array", "items": _shape(item)}
        case ast.Subscript(value=ast.Name(id="Mapping"), slice=ast.Tuple(elts=[_, item])):
            sides = ("X", "O")
            shapes = {side: _shape(item) for side in sides}
            return {"type": "object", "required": list(sides), "properties": shapes}
        case ast.Name(id="Board"):
            return _ref("CanonicalBoard")
        case ast.Name(id="int"):
            return {"type": "integer", "minimum": 0}
        case ast.Name(id=name) if name in _PLAIN:
            return {"type": _PLAIN[name]}
        case ast.Name(id=name):
            return _ref(name)
    raise AssertionError(ast.unparse(annotation))


@cache
def _named_types() -> dict[str, str]:
    used = set(re.findall(r"[A-Z]\w+", inspect.getsource(answers))) - {"MaybeNone", "AnswerT"}
    found = {}
    for module in (board, words, answers):
        body = _module(module).body
        for node, after in zip(body, [*body[1:], None], strict=True):
            if isinstance(node, ast.Assign) and not isinstance(node.value, ast.Call):
                name = ast.unparse(node.targets[0])
                if name in used:
                    found[name] = _unwrapped(_docstring(after))
    return found


def _shape_of_type(name: str) -> Json:
    if name == "Threats":
        return _shape(ast.parse("Mapping[Mark, tuple[Threat, ...]]", mode="eval").body)
    return {"type": "string", "enum": list(get_args(getattr(answers, name)))}


@cache
def _module(module: Any) -> ast.Module:
    return ast.parse(inspect.getsource(module))


def _docstring(node: ast.stmt | None) -> str:
    # `node`: the statement after an assignment.
    is_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    return inspect.cleandoc(node.value.value) if is_text else ""  # type: ignore[union-attr]


def _unwrapped(text: str) -> str:
    paragraphs = (" ".join(each.split()) for each in text.split("\n\n"))
    return re.sub(r"\bNone\b", "null", "\n\n".join(paragraphs))


def _words_of(kind: type) -> str:
    return _unwrapped(inspect.getdoc(kind) or "").partition("\n")[0]


def _described(shape: Json, text: str) -> Json:
    if not text:
        return shape
    return {"description": text} | ({"allOf": [shape]} if "$ref" in shape else shape)


def _answered(node: Any) -> Any:
    """Ask the service for each example that has `answers` instead of a value."""
    if not isinstance(node, dict):
        return node
    asked = node.pop("answers", None)
    if asked is None:
        return {name: _answered(each) for name, each in node.items()}
    client = create_app(Settings(log_level="warning")).test_client()
    headers = {"Accept": "application/json", "X-Request-ID": _REQUEST_ID} | asked.pop("headers", {})
    status = asked.pop("status", 200)
    response = client.open(headers=headers, **asked)
    text = _ELAPSED.sub(r"\g<1>0.012", response.text)
    assert response.status_code == status, text
    assert "event: problem" not in text, text
    return node | {"value": json.loads(text) if response.is_json else text}


def _camel(name: str) -> str:
    return "".join(part.capitalize() for part in name.split("_"))


def _ref(name: str) -> Json:
    return {"$ref": f"#/components/schemas/{name}"}


def _name(schema: Json) -> str:
    return str(schema["$ref"].rpartition("/")[2])


class _Dumper(yaml.SafeDumper):
    """Writes short mappings and lists in one line, and long texts as paragraphs."""

    def ignore_aliases(self, _: object) -> bool:
        return True

    def represent_mapping(self, tag: str, mapping: Any, flow_style: bool | None = None) -> Any:
        values = mapping.values()
        is_short = all(not isinstance(each, dict | list) for each in values) and all(
            "\n" not in str(each) for each in values
        )
        if is_short and len(str(mapping)) < _WIDTH - 30:
            flow_style = True
        return super().represent_mapping(tag, mapping.items(), flow_style)

    def represent_sequence(self, tag: str, sequence: Any, flow_style: bool | None = None) -> Any:
        if not any(isinstance(each, dict) for each in sequence):
            flow_style = True
        return super().represent_sequence(tag, sequence, flow_style)

    def represent_text(self, text: str) -> yaml.ScalarNode:
        style = None
        if "\n" in text:
            style = "|"
        elif len(text) > _WIDTH - 20 and " " in text:
            style = ">"
        return self.represent_scalar("tag:yaml.org,2002:str", text, style)


_Dumper.add_representer(str, _Dumper.represent_text)


def as_yaml(content: Json) -> str:
    text: str = yaml.dump(
        content, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=_WIDTH
    )
    return f"# Made by `make document` from {_FRAME.name} and the code: see describing.py.\n{text}"


_IN_JAVASCRIPT: Final = (
    "GameRules",
    "GameState",
    "Move",
    "SearchStats",
    "Reason",
    "BestMoveAnswer",
    "MoveEvaluation",
    "Threat",
    "AnalysisAnswer",
    "Problem",
    "Certificate",
    "NamedGame",
    "Games",
    "VisitedNode",
    "GameTree",
)
"""These schemas become types of client.js. A type such as `BestMoveFields` lacks the inherited
fields; client.js adds them by hand."""


def as_javascript(content: Json) -> str:
    found = content["components"]["schemas"]
    options = {**found["BatchRequest"]["properties"]}
    del options["boards"]
    of_game = {name: options.pop(name) for name in schemas.GameFields().fields}

    def more(request: str) -> Json:
        known = {"board", "moves", *of_game, *options}
        every = found[request]["properties"]
        return {"properties": {name: every[name] for name in every if name not in known}}

    kinds = {
        "PositionOptions": {"properties": of_game},
        "SearchOptions": {"properties": options},
        "MoveSearchOptions": more("PositionRequest"),
        "AnalysisSearchOptions": more("AnalysisRequest"),
        **{name: found[name] for name in _IN_JAVASCRIPT},
    }
    return "".join(line for name, kind in kinds.items() for line in _typedef(found, name, kind))


def _typedef(found: Json, name: str, kind: Json) -> Iterator[str]:
    if "allOf" in kind:
        name = name.removesuffix("Answer") + "Fields"
    properties = dict(_properties(found, kind))
    yield f"/**\n * @typedef {{object}} {name}\n"
    for field, (schema, needed) in properties.items():
        text = _text_of(found, schema)
        short = re.split(r"[.;] ", text.partition("\n")[0])[0].removesuffix(".")
        shown = field if needed else f"[{field}]"
        lines = textwrap.wrap(
            f"@property {{{_type(found, schema)}}} {shown}  {short}",
            _WIDTH,
            subsequent_indent="    ",
            break_long_words=False,
            break_on_hyphens=False,
        )
        yield from (f" * {line}\n" for line in lines)
    yield " */\n"


def _text_of(found: Json, schema: Json) -> str:
    """Return a schema's own description, or that of the schema that it refers to."""
    named = found[_name(schema)] if "$ref" in schema else {}
    return str(schema.get("description", named.get("description", "")))


def _properties(found: Json, kind: Json) -> Iterator[tuple[str, tuple[Json, bool]]]:
    """Yield the fields that a schema does not inherit: name, schema, and whether it is required."""
    for part in kind.get("allOf", ()):
        if "$ref" not in part:
            yield from _properties(found, part)
        elif _name(part) + "Answer" in found:  # `BestMoveAnswer` is `BestMove` and `search`
            yield from _properties(found, found[_name(part)])
    needed = kind.get("required", ())
    for name, schema in kind.get("properties", {}).items():
        yield name, (schema, name in needed)


def _type(found: Json, schema: Json) -> str:
    if "$ref" in schema:
        name = _name(schema)
        if name == "Game":
            return "string"  # a newer service may know more games
        return name if name in _IN_JAVASCRIPT else _type(found, found[name])
    if "const" in schema:
        return json.dumps(schema["const"])
    if "enum" in schema:
        kinds = " | ".join(map(json.dumps, schema["enum"]))
        return "Mark" if kinds == '"X" | "O"' else kinds
    for several in ("anyOf", "allOf"):
        if several in schema:
            return " | ".join(_type(found, each) for each in schema[several])
    kind = schema.get("type")
    if isinstance(kind, list):
        return " | ".join(_type(found, {"type": each}) for each in kind)
    if kind == "array":
        item = _type(found, schema["items"])
        return f"{item}[]" if item.isidentifier() else f"Array<{item}>"
    if kind == "object" and "properties" in schema:
        needed = schema.get("required", ())
        inner = (
            f"{name}{'' if name in needed else '?'}: {_type(found, each)}"
            for name, each in schema["properties"].items()
        )
        return "{" + ", ".join(inner) + "}"
    if kind == "object":
        return "Record<string, unknown>"
    return {"integer": "number"}.get(str(kind), str(kind))


def as_annotated(content: Json) -> str:
    """Return an answer with a comment for each field."""
    answer = content["components"]["examples"]["TicTacToeAnswer"]["value"]
    schema = content["components"]["schemas"]["BestMoveAnswer"]
    return "".join(_annotated_lines(content["components"]["schemas"], schema, answer, "  "))


def _annotated_lines(found: Json, kind: Json, answer: Json, indent: str) -> Iterator[str]:
    yield "{\n"
    properties = dict(_properties(found, kind))
    for name, value in answer.items():
        schema, _ = properties[name]
        first = re.split(r"(?<=[.]) ", " ".join(_text_of(found, schema).split("\n\n")[0].split()))[
            0
        ]
        mark = f"{indent}// "
        lines = textwrap.wrap(first, _WIDTH, initial_indent=mark, subsequent_indent=mark)
        yield from (f"{line}\n" for line in lines)
        yield f'{indent}"{name}": '
        if name in _EXPANDED:
            inner = next(_objects_in(found, schema))
            yield from _annotated_lines(found, inner, value, indent + "  ")
        else:
            yield json.dumps(value, ensure_ascii=False)
        yield "\n" if name == list(answer)[-1] else ",\n"
    yield indent[2:] + "}"


def _objects_in(found: Json, schema: Json) -> Iterator[Json]:
    """Yield the object schemas that a schema names or refers to."""
    if "$ref" in schema:
        yield from _objects_in(found, found[_name(schema)])
    elif "properties" in schema:
        yield schema
    for each in (*schema.get("anyOf", ()), *schema.get("allOf", ())):
        yield from _objects_in(found, each)


def with_part(path: Path, begin: str, part: str, end: str) -> str:
    """Return the file's text with `part` between the texts `begin` and `end`."""
    before, found, rest = path.read_text(encoding="utf-8").partition(begin)
    _, ended, after = rest.partition(end)
    assert found, f"{path.name} has no place for the part that begins with {begin!r}"
    assert ended, f"{path.name} has no end of the part that begins with {begin!r}"
    return before + begin + part + end + after


def made() -> Iterator[tuple[Path, str]]:
    """Yield each file that is made, with its text."""
    content = document()
    yield DOCUMENT, as_yaml(content)
    yield CLIENT, with_part(CLIENT, _BEGIN, as_javascript(content), _END)
    begin, end = _ANNOTATED
    yield GUIDE, with_part(GUIDE, begin, as_annotated(content) + "\n", end)


if __name__ == "__main__":
    for path, text in made():
        path.write_text(text, encoding="utf-8")
