"""All shipped parts together. Clients and pages use two replicas through the shipped nginx, under a
path prefix, while one replica is restarted."""

import asyncio
import json
import subprocess
import sys
import threading
import time
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit

import pytest
import yaml

from bestmove.client import AsyncClient, BestMove, Client
from tests.browser.conftest import OpenPage
from tests.browser.origins import other_origin
from tests.contract.node import run
from tests.support.connection import free_port
from tests.support.crowd import Crowd
from tests.support.needs import LONG, NGINX, NODE
from tests.support.replicas import Replica, nginx, replica, wait_until
from tests.support.table import Table

pytestmark = [pytest.mark.slow, LONG, NGINX, NODE]

ROOT = "/api"
PATIENCE = 60
"""The most seconds to wait for something that must happen."""
PACKAGE = "generated_behind_the_edge"

Going = Callable[[], bool]
"""Returns True until the clients must stop."""


@dataclass(frozen=True)
class Site:
    """nginx in front of two replicas, and the origin of another site.

    `restart` stops the first replica as an update would, and starts it again.
    """

    url: str
    log: Path
    origin: str
    replicas: list[Replica]
    restart: Callable[[], None]

    def statuses(self, replica: Replica | None = None) -> Counter[str]:
        """Count nginx's answers by status: all answers, or only those of one replica."""
        lines = map(json.loads, self.log.read_text("utf-8").splitlines())
        return Counter(
            line["status"]
            for line in lines
            if replica is None or line["upstream"].endswith(f":{replica.port}")
        )


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    (tmp_path / "index.html").write_text(
        '<!doctype html><html lang="en"><title>A game</title><link rel="icon" href="data:,"></html>'
    )
    ports = [free_port(), free_port()]
    with (
        other_origin(tmp_path) as origin,
        ExitStack() as running,
        nginx(tmp_path / "nginx", ports) as edge,
    ):

        def start(port: int) -> Replica:
            return running.enter_context(
                replica(
                    tmp_path,
                    port=port,
                    workers=1,
                    trusted_proxies=1,
                    root_path=ROOT,
                    cors_origins=origin,
                )
            )

        replicas = [start(port) for port in ports]

        def restart() -> None:
            assert replicas[0].stop() == 0
            replicas[0] = start(ports[0])

        log = tmp_path / "nginx" / "access.log"
        yield Site(f"http://127.0.0.1:{edge}{ROOT}", log, origin, replicas, restart)


@pytest.fixture
def service(site: Site) -> str:
    return site.url


def play_with_the_client(url: str, going: Going) -> int:
    games = 0
    with Client(url) as client:
        while going():
            answer = client.best_move(".........")
            while not answer.is_over:
                answer = client.best_move(answer.after.board)
            assert answer.status == "draw"
            *_, last = client.stream(game="gomoku", moves="h8 i9 i7", time_ms=200)
            assert isinstance(last, BestMove)
            batch = client.best_moves(["........."] * 10)
            assert all(isinstance(item, BestMove) for item in batch)
            games += 1
    return games


def play_with_the_async_client(url: str, going: Going) -> int:
    async def game(client: AsyncClient) -> None:
        answer = await client.best_move(".........")
        while not answer.is_over:
            answer = await client.best_move(answer.after.board)
        assert answer.status == "draw"

    async def played() -> int:
        games = 0
        async with AsyncClient(url) as client:
            while going():
                await asyncio.gather(*(game(client) for _ in range(10)))
                games += 10
        return games

    return asyncio.run(played())


def play_with_the_generated_client(url: str, going: Going) -> int:
    models: Any = import_module(f"{PACKAGE}.models")
    best_move: Any = import_module(f"{PACKAGE}.api.play.post_best_move")
    kind: Any = import_module(f"{PACKAGE}.client").Client
    games = 0
    with kind(base_url=url) as client:

        def asked(board: str) -> Any:
            # Unlike our clients, a generated client does not ask again after a refusal.
            body = models.PositionRequest(board=board)
            while isinstance(answer := best_move.sync(client=client, body=body), models.Problem):
                assert answer.status in (429, 503)
                time.sleep(1)
            return answer

        while going():
            answer = asked(".........")
            while answer.move is not None:
                answer = asked(answer.after.board)
            assert answer.status == "draw"
            games += 1
    return games


PLAY = """
async (service, going) => {
  let games = 0;
  for (; going(); games += 1) {
    let answer = await service.bestMove(".........");
    while (answer.move) answer = await service.bestMove(answer.after.board);
    if (answer.status !== "draw") throw new Error(answer.status);
    const stream = service.stream({ game: "gomoku", moves: "h8 i9 i7" }, { time_ms: 200 });
    for await (const { final } of stream) answer = final;
    if (!answer) throw new Error("a stream without an answer");
  }
  return games;
}
"""

IN_NODE = f"""
import {{ Client }} from "./client.mjs";

let over = false;
process.stdin.on("end", () => {{ over = true; }}).resume();
console.log(await ({PLAY})(new Client(process.argv[2]), () => !over));
"""

IN_A_PAGE = f"""
async (url) => {{
  const {{ Client }} = await import(`${{url}}/static/client.js`);
  window.games = ({PLAY})(new Client(), () => !window.over);
}}
"""


@contextmanager
def node(url: str, folder: Path) -> Iterator[Callable[[], int]]:
    """Play games in Node.js. Yield a function that ends the games and counts them."""
    with urllib.request.urlopen(f"{url}/static/client.js") as response:
        (folder / "client.mjs").write_bytes(response.read())
    (folder / "game.mjs").write_text(IN_NODE)
    with subprocess.Popen(
        ["node", "game.mjs", url],
        cwd=folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:

        def games() -> int:
            said, _ = process.communicate("", PATIENCE)
            assert process.returncode == 0, said
            return int(said)

        try:
            yield games
        finally:
            process.kill()


@contextmanager
def generated(url: str, folder: Path) -> Iterator[str]:
    """Generate a client from the served openapi.yaml. Yield the service's address in that file."""
    address = f"{url}/openapi.yaml"
    with urllib.request.urlopen(address) as response:
        (server,) = yaml.safe_load(response)["servers"]
    run(
        "openapi-python-client", "generate", "--url", address, "--meta", "none",
        "--output-path", PACKAGE, cwd=folder,
    )  # fmt: skip
    sys.path.insert(0, str(folder))
    yield urljoin(address, server["url"]).rstrip("/")
    sys.path.remove(str(folder))


def flood(site: Site) -> None:
    """Send 600 requests without pauses from the users' address. nginx must refuse some of them."""
    port = urlsplit(site.url).port
    assert port
    path = f"{ROOT}/best-move?board=X...O...."
    crowd = Crowd(port, lambda connection, _: connection.get(path), size=8, count=600)
    assert crowd.start().wait().statuses[429]


def test_users_notice_nothing_but_waiting(site: Site, open_page: OpenPage, tmp_path: Path) -> None:
    over = threading.Event()

    def going() -> bool:
        return not over.is_set()

    def wait_for_answers(count: int) -> None:
        before = site.statuses()["200"]
        wait_until(lambda: site.statuses()["200"] >= before + count, PATIENCE, "answers")

    with (
        generated(site.url, tmp_path) as named,
        node(site.url, tmp_path) as games_in_node,
        ThreadPoolExecutor() as pool,
    ):
        assert named == site.url
        try:
            games = {
                play: pool.submit(play, site.url, going)
                for play in (
                    play_with_the_client,
                    play_with_the_async_client,
                    play_with_the_generated_client,
                )
            }
            wait_for_answers(100)
            flood(site)
            stranger = open_page(site.origin, expect=("429",))
            stranger.evaluate(IN_A_PAGE, site.url)
            table = Table(open_page(f"{site.url}/", expect=("429",)))
            table.wait_for_page()
            table.play(4)
            site.restart()
            table.play(table.board.replace("/", "").index("."))  # the engine may take any cell
            wait_for_answers(200)
        finally:
            over.set()
        for play, count in games.items():
            assert count.result(PATIENCE), play.__name__
        assert games_in_node()
        assert stranger.evaluate("() => { window.over = true; return window.games; }")
        table.page.close()
    assert set(site.statuses()) <= {"200", "304", "429"}
    assert all(site.statuses(each)["200"] for each in site.replicas)
