"""How `Accept` chooses the representation, and `Accept-Encoding` compression."""

import gzip

import pytest

from tests.api.http import Api, document

JSON, TEXT = "application/json", "text/plain"


@pytest.mark.parametrize(
    ("accept", "expected"),
    [
        *((accept, JSON) for accept in ("", "*/*", "application/*")),
        ("application/json, text/plain;q=0.5", JSON),
        ("application/json;q=0, application/problem+json", JSON),
        ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", JSON),
        ("application/json; profile=x, image/png", JSON),
        *((accept, TEXT) for accept in ("text/*", "text/plain; charset=utf-8")),
        ("text/plain, application/json;q=0.9", TEXT),
        ("text/plain;q=0.1, image/png", TEXT),
    ],
)
def test_the_client_chooses_json_or_text(api: Api, accept: str, expected: str) -> None:
    headers = {"Accept": accept}
    body = {"board": "X...O...."}
    for response in (
        api.post("/best-move", body, headers),
        api.post("/play", body | {"move": 8}, headers),
        api.get("/best-move", headers, **body),
    ):
        assert response.status_code == 200
        assert response.mimetype == expected
        assert response.headers["Vary"] == "Accept"


@pytest.mark.parametrize(
    "accept", ["image/png", "text/html", "application/xml", "*/*;q=0", "text/plain;q=0", "x"]
)
def test_a_missing_representation_is_406_before_anything_is_read(api: Api, accept: str) -> None:
    headers = {"Accept": accept}
    assert api.post("/best-move", b"[", headers).status_code == 406
    assert api.post("/play", b"[", headers).status_code == 406
    assert api.get("/best-move", headers, board="?").status_code == 406


@pytest.mark.parametrize("path", ["/best-move", "/games"])
@pytest.mark.parametrize("blanks", [" " * 500_000, "\t" * 500_000, " ," * 250_000])
def test_a_header_that_is_too_long_is_not_parsed(api: Api, path: str, blanks: str) -> None:
    # werkzeug's parser would need hours for so many blanks.
    accept = f"text/plain, a/b{blanks}c, application/json"
    answer = api.get(path, {"Accept": accept}, **({"board": "."} if path == "/best-move" else {}))
    assert answer.status_code == 406
    assert "1,000 characters" in document(answer)["detail"]
    for accept in (f"text/html{', a/b' * 500}", f"text/html, a/b{blanks}c"):
        assert api.get("/nothing", {"Accept": accept}).mimetype == "application/problem+json"
    plain = api.get("/openapi.yaml", {"Accept-Encoding": f"gzip, a{blanks}c"})
    assert plain.status_code == 200
    assert "Content-Encoding" not in plain.headers


EVENTS = "text/event-stream"


@pytest.mark.parametrize(
    ("accept", "paths"),
    [
        (TEXT, "/analyze /best-moves /proof /game-tree"),
        (EVENTS, "/play /best-moves /proof /game-tree /games"),
        ("image/png", "/games"),
    ],
)
def test_each_endpoint_has_representations_of_its_own(api: Api, accept: str, paths: str) -> None:
    for path in paths.split():
        headers = {"Accept": accept}
        answer = api.get(path, headers) if path == "/games" else api.post(path, b"[", headers)
        assert answer.status_code == 406
    assert api.get("/analyze", {"Accept": TEXT}).status_code == 406


def test_the_text_about_a_finished_game_is_its_board(api: Api) -> None:
    """docs/http.md shows other texts."""
    assert api.get("/best-move", {"Accept": TEXT}, board="XXXOO....").text == "XXXOO....\n"


def test_long_answers_are_compressed_for_clients_that_accept_gzip(api: Api) -> None:
    plain = api.get("/analyze", board=".........")
    refused = api.get("/analyze", {"Accept-Encoding": "br, gzip"}, board=".........", raw="")
    assert refused.status_code == 422  # a refusal is short, so it is not compressed
    assert "Content-Encoding" not in refused.headers
    send = api.app.test_client().get
    packed = send("/analyze?board=.........", headers={"Accept-Encoding": "br, gzip"})
    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.data) == plain.data
    assert len(packed.data) == packed.content_length < len(plain.data) / 2
    tag = plain.headers["ETag"]
    assert packed.headers["ETag"] == tag[:-1] + '-gzip"'
    for known in (tag, packed.headers["ETag"]):
        again = send("/analyze?board=.........", headers={"If-None-Match": known})
        assert (again.status_code, again.headers["ETag"]) == (304, known)
        for response in (plain, packed, again):
            assert response.headers.getlist("Vary") == ["Accept, Accept-Encoding"]
    for refusal in ("identity", "gzip;q=0", "br"):
        response = send("/analyze?board=.........", headers={"Accept-Encoding": refusal})
        assert response.data == plain.data


def test_files_are_compressed(api: Api) -> None:
    send = api.app.test_client().get
    for path in ("/static/client.js", "/docs/swagger-ui-bundle.js", "/openapi.yaml", "/"):
        plain, packed = send(path), send(path, headers={"Accept-Encoding": "gzip"})
        assert packed.headers["Content-Encoding"] == "gzip"
        assert gzip.decompress(packed.data) == plain.data
        assert packed.headers["ETag"] != plain.headers["ETag"]
        assert plain.headers["Vary"] == packed.headers["Vary"] == "Accept-Encoding"
        for response, coding in ((plain, "identity"), (packed, "gzip")):
            known = {"If-None-Match": response.headers["ETag"], "Accept-Encoding": coding}
            assert send(path, headers=known).status_code == 304
