"""The application that the benchmarks compare the service with: it answers."""

from benchmarks.peers.bare import app


def test_the_views_answer() -> None:
    client = app.test_client()
    assert client.get("/healthz").status_code == 200
    assert client.post("/best-move", json={"board": "XX.OO...."}).status_code == 200
