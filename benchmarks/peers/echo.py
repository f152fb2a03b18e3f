"""The fastest FastAPI view: it returns the same fixed answer as bare.py.

uvicorn benchmarks.peers.echo:app
"""

from typing import Any

from fastapi import FastAPI  # type: ignore[import-not-found,unused-ignore]

from benchmarks.peers.bare import ANSWER

app = FastAPI()


async def best_move(_body: dict[str, Any]) -> dict[str, Any]:
    return ANSWER


async def healthz() -> dict[str, Any]:
    return {"status": "ok"}


app.post("/best-move")(best_move)
app.get("/healthz")(healthz)
