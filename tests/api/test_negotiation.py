"""How `Accept` chooses the representation. If none fits, the status is 406."""

import pytest

from tests.api.http import Api, document

JSON, TEXT = "application/json", "text/plain"


@pytest.mark.parametrize(
    ("accept", "expected"),
    [
        ("", JSON),
        ("*/*", JSON),
        ("application/json", JSON),
        ("application/*", JSON),
        ("application/json, text/plain;q=0.5", JSON),
        ("application/problem+json", JSON),
        ("application/json;q=0, application/problem+json", JSON),
        ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", JSON),
        ("application/json; charset=utf-8", JSON),
        ("application/json;charset=UTF-8;q=0.9", JSON),
        ("application/json; profile=x, image/png", JSON),
        ("application/problem+json; charset=utf-8", JSON),
        ("text/plain; charset=utf-8", TEXT),
        ("text/plain", TEXT),
        ("text/*", TEXT),
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
def test_an_unavailable_representation_is_406_before_anything_is_read(
    api: Api, accept: str
) -> None:
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


@pytest.mark.parametrize(
    ("accept", "posts", "gets"),
    [
        (TEXT, ("/analyze", "/best-moves", "/proof", "/game-tree"), ("/analyze",)),
        (
            "text/event-stream",
            ("/play", "/best-moves", "/proof", "/game-tree"),
            ("/games",),
        ),
        ("image/png", (), ("/games",)),
    ],
)
def test_each_endpoint_has_representations_of_its_own(
    api: Api, accept: str, posts: tuple[str, ...], gets: tuple[str, ...]
) -> None:
    headers = {"Accept": accept}
    assert {api.post(path, b"[", headers).status_code for path in posts} <= {406}
    assert {api.get(path, headers).status_code for path in gets} == {406}


def test_text_is_the_board_after_the_move(api: Api) -> None:
    headers = {"Accept": TEXT}
    assert api.post("/best-move", {"board": "X...O...."}, headers).text == "XX..O....\n"
    assert api.get("/best-move", headers, board="X...O....").text == "XX..O....\n"
    assert api.get("/best-move", headers, board="XXXOO....").text == "XXXOO....\n"
    big = api.post("/best-move", {"board": "XX../OO../..../....", "k": 3}, headers)
    assert big.text == "XXX./OO../..../....\n"


def test_problems_are_json_whatever_is_accepted(api: Api) -> None:
    response = api.post("/best-move", {"board": "Z"}, {"Accept": TEXT})
    assert response.status_code == 422
    assert response.mimetype == "application/problem+json"
