"""All shipped parts together: a client and pages use two replicas through the shipped nginx, under
a path prefix, while one replica is restarted."""

import json
import threading
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import pytest
import yaml

from bestmove.client import BestMove, Client
from tests.browser.conftest import OpenPage, SitDown
from tests.browser.origins import EMPTY, other_origin
from tests.support.connection import free_port
from tests.support.crowd import Crowd
from tests.support.needs import LONG, NGINX
from tests.support.replicas import Replica, nginx, replica, wait_until

pytestmark = [pytest.mark.slow, LONG, NGINX]

ROOT = "/api"
PATIENCE = 60
"""The most seconds to wait for something that must happen."""


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
    ports = [free_port(), free_port()]
    with (
        other_origin(tmp_path, EMPTY) as origin,
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


def play_with_the_client(url: str, over: threading.Event) -> int:
    games = 0
    with Client(url) as client:
        while not over.is_set():
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


IN_A_PAGE = """
async (url) => {
  const { Client } = await import(`${url}/static/client.js`);
  const service = new Client();
  const play = async () => {
    let games = 0;
    for (; !window.over; games += 1) {
      let answer = await service.bestMove(".........");
      while (answer.move) answer = await service.bestMove(answer.after.board);
      if (answer.status !== "draw") throw new Error(answer.status);
      const stream = service.stream({ game: "gomoku", moves: "h8 i9 i7" }, { time_ms: 200 });
      for await (const { final } of stream) answer = final;
      if (!answer) throw new Error("a stream without an answer");
    }
    return games;
  };
  window.games = play();
}
"""


def named(url: str) -> str:
    """Return the address of the service as its document names it."""
    address = f"{url}/openapi.yaml"
    with urllib.request.urlopen(address) as response:
        (server,) = yaml.safe_load(response)["servers"]
    return str(urljoin(address, server["url"])).rstrip("/")


def flood(site: Site) -> None:
    """Send 600 requests without pauses from the users' address. nginx must refuse some of them."""
    port = urlsplit(site.url).port
    assert port
    path = f"{ROOT}/best-move?board=X...O...."
    crowd = Crowd(port, lambda connection, _: connection.get(path), size=8, count=600)
    assert crowd.start().wait().statuses[429]


def test_users_notice_nothing_but_waiting(
    site: Site, open_page: OpenPage, sit_down: SitDown
) -> None:
    over = threading.Event()

    def wait_for_answers(count: int) -> None:
        before = site.statuses()["200"]
        wait_until(lambda: site.statuses()["200"] >= before + count, PATIENCE, "answers")

    assert named(site.url) == site.url
    with ThreadPoolExecutor() as pool:
        try:
            games = pool.submit(play_with_the_client, site.url, over)
            wait_for_answers(100)
            flood(site)
            stranger = open_page(site.origin, expect=("429",))
            stranger.evaluate(IN_A_PAGE, site.url)
            table = sit_down(f"{site.url}/", expect=("429",))
            table.play(4)
            site.restart()
            table.play(table.board.replace("/", "").index("."))  # the engine may take any cell
            wait_for_answers(200)
        finally:
            over.set()
        assert games.result(PATIENCE)
        assert stranger.evaluate("() => { window.over = true; return window.games; }")
        table.page.close()
    assert set(site.statuses()) <= {"200", "304", "429"}
    assert all(site.statuses(each)["200"] for each in site.replicas)
