"""The Gomocup brain, with an engine that records its boards and limits."""

import io
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bestmove.answers import Analysis, BestMove, Move, MoveEvaluation, SearchStats
from bestmove.bots.gomocup import (
    AT_ONCE_MS,
    DEFAULT_TURN_MS,
    FIRST_PASS_MS,
    UNLIMITED_DEPTH,
    UNLIMITED_MS,
    Brain,
    Info,
)
from bestmove.bots.pipes import MAX_LINE, run
from bestmove.game import Board
from bestmove.search.cancellation import Cancellation
from bestmove.search.engine import DEFAULT_BYTES, SEARCH_BYTES, searchers
from bestmove.search.limits import MAX_LINES, MAX_TIME_MS, SearchLimits
from tests.support.answers import best_move_of


class FirstFreeCell:
    """Replaces the engine. `fields` returns fields of the answer that differ from the usual."""

    def __init__(self, fields: Callable[[Board], dict[str, Any]] = lambda _: {}) -> None:
        self.boards: list[str] = []
        self.limits: list[SearchLimits] = []
        self.overlines: list[bool] = []
        self._fields = fields

    def __call__(self, board: Board, limits: SearchLimits, **_: Any) -> BestMove:
        self.boards.append(str(board))
        self.limits.append(limits)
        self.overlines.append(board.rules.overline)
        usual = {"score": 0.25, "exact": False, "outcome": "unknown", "plies": None}
        usual["search"] = SearchStats("stub")
        return best_move_of(board, board.moves[0], **usual | self._fields(board))


def first_cells(board: Board, *_: Any, **__: Any) -> Analysis:
    moves = tuple(
        MoveEvaluation(
            **Move.of(move, board.rules).to_dict(),
            score=(0.5 if board.turn == "X" else -0.5) / place,
            exact=False,
            outcome="unknown",
            plies=None,
            pv=(move,),
            depth=4,
        )
        for place, move in enumerate(board.moves, 1)
    )
    return Analysis(board, moves, True, {}, SearchStats("stub", nodes=30_000, elapsed_ms=20.4))


ONLY_TWO_RULES = "is not supported, only 0 (freestyle gomoku) and 1 (exactly five)"


def told(brain: Brain, said: str) -> list[str]:
    """Say some lines, between which are semicolons. Return the answers."""
    return [answer for line in said.split(";") for answer in brain.handle(line)]


def talk(said: str, engine: FirstFreeCell | None = None, **options: Any) -> list[str]:
    answers = told(Brain(engine or FirstFreeCell(), **options), said)
    return [answer for answer in answers if not answer.startswith("MESSAGE")]


CONVERSATIONS = [
    "START 15;BEGIN;TURN 7,7;TURN 1,0 -> OK;0,0;1,0;ERROR 1,0 is taken",
    "RECTSTART 4,3;TURN 3,0 -> OK;0,0 -> ...X/..../....",
    "START 3;BEGIN;TURN 2,2 -> OK;0,0;1,0 -> X.......O",
    "START 5;BOARD;1,1,2;0,0,1;2,2,2;3,0,1;DONE -> OK;1,0 -> X..X./.O.../..O../...../.....",
    "START 3;BEGIN;TAKEBACK 1,0;TAKEBACK 0,0 -> OK;0,0;ERROR there is no stone on 1,0;OK",
    "START 3;TURN 0,0;TAKEBACK 0,0;TAKEBACK 1,0;BEGIN -> OK;1,0;OK;OK;0,0 -> .........",
    "START 3;BOARD;0,0,2;BEGIN -> OK;ERROR BOARD without DONE is ignored;0,0",
    "RECTSTART 5,4;BEGIN;RESTART;TURN 4,3 -> OK;0,0;OK;0,0",
    "RECTSTART 5,4;TURN 4,4 -> OK;ERROR 4,4 is not on the board: x is 0 to 4, y 0 to 3",
    "start 15\r\n;\r\n;begin\r\n -> OK;0,0",
    "START 3;PLAY 1,1;TURN 0,1 -> OK;1,1;0,0 -> ...OX....",
    "START 21 -> ERROR a board of 21x21 is not supported: use 1 to 20 columns and 1 to 20 rows",
    "START 0;RECTSTART 30,20 -> ERROR a board of 0x0 is not;ERROR a board of 30x20 is not",
    "START;START fifteen -> ERROR START needs the size;ERROR START needs the size",
    f"START 15 15;TURN 14,14 -> OK;0,0 -> {'.' * 224}X",
    "start 20 21 -> ERROR a board of 20x21 is not supported",
    "BEGIN;TURN 1,1;RESTART -> ERROR there is no board: send START first;ERROR there;ERROR there",
    "PONDER;5,5;\x00\xff -> UNKNOWN 'PONDER';UNKNOWN '5,5';UNKNOWN '\\x00\\xff'",
    "START 15;BEGIN;BEGIN -> OK;0,0;ERROR BEGIN needs an empty",
    "START 15;TURN 3;TURN a,b;TURN 1,1,1;TURN -> OK;ERROR;ERROR;ERROR;ERROR",
    f"START 15;TURN 99,1;TURN -1,0;BEGIN -> OK;ERROR;ERROR;0,0 -> {'.' * 225}",
    'ABOUT -> name="Best Move", version="',
    "START 15;INFO max_memory 9;BEGIN;INFO max_memory 0;BEGIN -> OK;ERROR 9 bytes of memory;0,0",
    "START 15;INFO;INFO evaluate 3,3;INFO folder /tmp;INFO game_type 2;BEGIN -> OK;0,0",
    "START 15;INFO colour blue;INFO timeout_turn soon;INFO timeout_turn;BEGIN -> OK;0,0",
    f"START 15;INFO budget_ms 5;INFO rule {'9' * 50};BEGIN -> OK;0,0",
    # Swap2.
    "START 15;SWAP2BOARD;7,7;DONE -> OK;ERROR swap2 needs 0, 3 or 5 stones on the board, not 1",
    "START 15;SWAP2BOARD;7,7;7,7;8,8;DONE -> OK;ERROR two stones on one cell",
    "START 15;SWAP2BOARD;7,7;15,0;8,8;DONE -> OK;ERROR 15,0 is not on the board",
    "START 4;SWAP2BOARD;DONE -> OK;ERROR swap2 needs a board of 25 cells and 3 in a row",
    # Yixin's commands.
    "START 3;YXBOARD;1,1,2;DONE;TAKEBACK 1,1;BEGIN -> OK;OK;0,0 -> .........",
    "START 3;yxboard;1,1,1;0,0,2;done;TURN 2,2 -> OK;1,0 -> X...O...X",
    "START 3;BEGIN;YXBOARD;DONE;BEGIN -> OK;0,0;0,0 -> .........",
    "START 3;YXBOARD;1,1,2;2,2,2;DONE;BEGIN -> OK;ERROR it is not my move: 0 stones;0,0",
    "START 3;YXNBEST 1;TURN 2,2;YXNBEST 0 -> OK;0,0;1,0;ERROR it is not my move: 2 stones are mine",
    "START 3;YXNBEST;YXNBEST all -> OK;ERROR YXNBEST needs the num;ERROR YXNBEST needs the num",
    "YXNBEST 2;YXBOARD;DONE -> ERROR there is no board: send START first;ERROR there is no board",
    "YXSTOP;STOP;START 3;yxstop;BEGIN -> OK;0,0",
    "YXHASHCLEAR;YXBALANCEONE 0 -> UNKNOWN 'YXHASHCLEAR';UNKNOWN 'YXBALANCEONE'",
    # A bad board is refused, and the old one kept.
    "START 3;BEGIN;BOARD;9,0,1;DONE;TURN 2,2 -> OK;0,0;ERROR 9,0 is not on the board;1,0",
    "START 3;BEGIN;BOARD;0,0,1;0,0,2;DONE;TURN 2,2 -> OK;0,0;ERROR two stones on 0,0;1,0",
    "START 3;BEGIN;BOARD;0,0,3;DONE;TURN 2,2 -> OK;0,0;ERROR '0,0,3' is not a stone;1,0",
    "START 3;BEGIN;BOARD;0,0;DONE;TURN 2,2 -> OK;0,0;ERROR '0,0' is not a stone;1,0",
    "START 3;BEGIN;BOARD;0,0,2;1,0,2;DONE;TURN 2,2 -> OK;0,0;ERROR it is not my move;1,0",
    "START 3;BOARD;0,0,1;1,0,1;2,0,1;0,1,2;1,1,2;2,1,2;DONE -> OK;ERROR X and O both have a line",
    "START 3;BOARD;0,0,2;1,0,2;2,0,2;0,1,1;1,1,1;DONE;BEGIN -> OK;ERROR the game is over;0,0",
    # Another rule is refused at the first command that is answered.
    f"START 15;INFO rule 2;BEGIN;INFO rule 0;BEGIN -> OK;ERROR rule 2 {ONLY_TWO_RULES};0,0",
    f"INFO rule 8;START 15 -> ERROR rule 8 {ONLY_TWO_RULES}",
]
"""Each conversation: what is said, the beginnings of the answers, and the last board searched."""


@pytest.mark.parametrize("conversation", CONVERSATIONS)
def test_a_conversation_follows_the_protocol(conversation: str) -> None:
    said, answers, *board = conversation.split(" -> ")
    engine = FirstFreeCell()
    for answer, expected in zip(talk(said, engine), answers.split(";"), strict=True):
        assert answer == expected or (answer.startswith(expected) and not expected[0].isdigit())
    assert not board or engine.boards[-1].replace("/", "") == board[0].replace("/", "")


@pytest.mark.parametrize(
    ("said", "limit", "value"),
    [
        ("", "overline", True),
        ("INFO rule 1", "overline", False),
        ("INFO max_node 3000", "engine_nodes", 3000),
        ("INFO max_node 3000;INFO max_node -1", "engine_nodes", None),
        (f"INFO max_node 3000;INFO max_node {2**64 - 1}", "engine_nodes", None),
        ("", "depth", None),
        ("INFO max_depth 6", "depth", 6),
        ("INFO MAX_DEPTH 6;INFO MAX_DEPTH 0", "depth", None),
        (f"INFO max_depth {UNLIMITED_DEPTH - 1}", "depth", UNLIMITED_DEPTH - 1),
        (f"INFO max_depth {UNLIMITED_DEPTH}", "depth", None),
        ("INFO max_depth 9;START 3", "depth", None),
        ("INFO max_depth 8;START 3", "depth", 8),
        # The nodes that replace a time would cut the depth short.
        ("INFO timeout_turn 500;INFO max_depth 6", "time_ms", None),
        ("INFO max_depth 6;INFO thread_num 3", "threads", 1),
        ("", "threads", 1),
        ("INFO thread_num 3", "threads", 3),
        ("INFO thread_num -3", "threads", 1),
        ("INFO thread_num 1000", "threads", 64),
    ],
)
def test_the_managers_settings_reach_the_engine(said: str, limit: str, value: object) -> None:
    engine = FirstFreeCell()
    talk(f"START 15;{said};BEGIN", engine)
    limits = engine.limits[-1]
    assert (engine.overlines[-1] if limit == "overline" else getattr(limits, limit)) == value


@pytest.mark.parametrize(
    ("most", "kept"),
    [(0, DEFAULT_BYTES), (2**20, SEARCH_BYTES), (100 << 20, 68 << 20), (2**40, DEFAULT_BYTES)],
)
def test_engines_of_earlier_games_are_kept_within_the_managers_memory(
    most: int, kept: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(searchers, "most", 1)
    talk(f"INFO max_memory {most}")
    assert searchers.most == kept


def test_with_a_seed_one_thread_searches_whatever_the_manager_allows() -> None:
    engine = FirstFreeCell()
    talk("START 15;INFO thread_num 4;BEGIN", engine, level=3, seed=7)
    limits = engine.limits[-1]
    assert (limits.level, limits.seed, limits.threads) == (3, 7, 1)


LONGEST_S = MAX_TIME_MS / 1000


@pytest.mark.parametrize(
    ("said", "since", "least", "most"),
    [
        ("INFO timeout_turn 500;INFO time_left 100000;BEGIN", "BEGIN", 0.4, 0.5),
        # With a depth or nodes only the manager's time ends a search.
        ("INFO max_depth 6;BEGIN", "BEGIN", 0.9 * LONGEST_S, LONGEST_S),
        ("INFO max_node 3000;BEGIN", "BEGIN", 0.9 * LONGEST_S, LONGEST_S),
        ("INFO max_depth 6;INFO timeout_turn 500;BEGIN", "BEGIN", 0.4, 0.5),
        ("BOARD;7,7,2;DONE", "BOARD", 0.9, 1.0),
    ],
)
def test_a_move_is_due_from_the_arrival_of_its_first_line(
    said: str, since: str, least: float, most: float
) -> None:
    brain = Brain(engine := FirstFreeCell())
    lines = ["START 15", *said.split(";")]
    for second, line in enumerate(lines):
        list(brain.handle(line, float(second)))
    deadline = engine.limits[-1].deadline
    assert deadline is not None
    assert least < deadline - lines.index(since) <= most


def test_no_move_takes_longer_than_max_time_ms_whatever_the_manager_allows() -> None:
    brain = Brain(engine := FirstFreeCell(), max_time_ms=50)
    for line in ("START 15", "INFO timeout_turn 5000", "BEGIN"):
        list(brain.handle(line, 10.0))
    limits = engine.limits[-1]
    assert limits.time_ms == 50
    assert limits.deadline == pytest.approx(10.05)
    told(brain, "INFO timeout_turn 40;TURN 7,7")
    assert 0 < (engine.limits[-1].time_ms or 0) < 40


@pytest.mark.parametrize("limit", ["INFO max_depth 6", "INFO max_node 3000"])
def test_the_openings_of_swap2_are_compared_by_the_clock(limit: str) -> None:
    engine = FirstFreeCell()
    talk(f"START 15;{limit};SWAP2BOARD;DONE", engine)
    times = [search.time_ms for search in engine.limits[1:]]
    assert times
    assert all(time_ms is not None and 10 < time_ms < DEFAULT_TURN_MS for time_ms in times)


def test_what_newer_managers_send_at_the_start_is_taken_without_a_word() -> None:
    said = (
        "INFO show_detail 3;INFO usedatabase 1;INFO thread_num 2;INFO thread_split_depth 8;"
        "INFO hash_size 4096;INFO pondering 0;INFO caution_factor 3;INFO vcthread 0;"
        "INFO time_increment 0;INFO nbestsym 0;yxshowinfo"
    )
    assert told(Brain(FirstFreeCell()), said) == ["MESSAGE INFO MAX_THREAD_NUM 64"]


def test_yxnbest_reports_the_best_lines_and_plays_the_best_move() -> None:
    brain = Brain(FirstFreeCell(), analyst=first_cells)
    answers = told(brain, "START 15;YXBOARD;0,0,2;DONE;YXNBEST 3;TURN 5,5")
    assert answers[1:5] == [
        "MESSAGE depth 4-4 multipv 1 ev 439 n 30000 n/ms 1500 tm 20 pv 1,0",
        "MESSAGE depth 4-4 multipv 2 ev 204 n 30000 n/ms 1500 tm 20 pv 2,0",
        "MESSAGE depth 4-4 multipv 3 ev 135 n 30000 n/ms 1500 tm 20 pv 3,0",
        "1,0",
    ]
    assert answers[-1] == "2,0"


def test_yxnbest_reports_no_more_lines_than_there_are_moves_or_an_analysis_has() -> None:
    brain = Brain(FirstFreeCell(), analyst=first_cells)
    assert len(told(brain, "START 3;TURN 2,2;YXBOARD;DONE;YXNBEST 1000")) == 3 + 9 + 1
    assert len(told(brain, "START 15;YXNBEST 1000")) == 1 + MAX_LINES + 1


class Passes:
    """Replaces the searches of a turn. Records their limits; cancels the `stopped_in`-th search."""

    def __init__(self, stopped_in: int = 0) -> None:
        self.limits: list[SearchLimits] = []
        self._stopped_in = stopped_in

    def __call__(
        self, board: Board, limits: SearchLimits, cancellation: Cancellation | None
    ) -> Analysis:
        self.limits.append(limits)
        found = first_cells(board)
        if len(self.limits) != self._stopped_in:
            return found
        assert cancellation is not None
        cancellation.cancel()
        return replace(found, moves=found.moves[::-1])


@pytest.mark.parametrize(
    ("settings", "passes"),
    [
        ("INFO timeout_turn 3000", 1),
        ("INFO timeout_turn 5000", 2),
        ("INFO timeout_turn 10000", 3),
        ("INFO timeout_turn 10000;INFO max_depth 6", 1),
        ("INFO timeout_turn 10000;INFO max_node 3000", 1),
    ],
)
def test_a_long_analysis_searches_all_lines_again_and_again(settings: str, passes: int) -> None:
    brain = Brain(FirstFreeCell(), analyst=(analyst := Passes()))
    answers = told(brain, f"START 15;{settings};YXNBEST 2")
    assert len(answers) == 1 + 2 * passes + 1
    times = [limits.time_ms for limits in analyst.limits[:-1]]
    assert times == [FIRST_PASS_MS * 2**number for number in range(passes - 1)]
    assert all(limits.lines == 2 for limits in analyst.limits)


@pytest.mark.parametrize(("stopped_in", "reports", "move"), [(1, 1, "2,2"), (2, 1, "0,0")])
def test_a_stopped_analysis_answers_with_its_last_whole_pass(
    stopped_in: int, reports: int, move: str
) -> None:
    brain = Brain(FirstFreeCell(), analyst=(analyst := Passes(stopped_in)))
    told(brain, "START 3;INFO timeout_turn 60000")
    answers = [*brain.handle("YXNBEST 2", cancellation=Cancellation())]
    assert len(analyst.limits) == stopped_in
    assert len(answers) == 2 * reports + 1
    assert answers[-1] == move


@pytest.mark.parametrize("stones", ["7,7;8,7;9,9", "7,7;8,7;9,9;3,3;4,4"])
@pytest.mark.parametrize(
    ("score", "answers", "mine"),
    [
        (0.2, ["SWAP", "0,0"], "X"),
        (-0.2, ["0,0", "1,0"], "O"),
        (0.0, ["0,0", "1,0"], "O"),
        (-0.0, ["0,0", "1,0"], "O"),
    ],
)
def test_swap2_takes_the_side_that_stands_better_and_the_stones_belong_to_it(
    stones: str, score: float, answers: list[str], mine: str
) -> None:
    engine = FirstFreeCell(lambda _: {"score": score})
    assert talk(f"START 15;SWAP2BOARD;{stones};DONE;TURN 0,1", engine) == ["OK", *answers]
    assert Board.parse(engine.boards[-1]).turn == mine


def test_swap2_opens_with_the_most_even_of_its_candidates() -> None:
    def by_column(board: Board) -> dict[str, Any]:
        return {"score": (board.cells.find("X") % board.rules.columns - 7) / 20}

    brain = Brain(engine := FirstFreeCell(by_column), seed=3)
    opening = told(brain, "START 15;SWAP2BOARD;DONE")[-1]
    pairs = [tuple(map(int, pair.split(","))) for pair in opening.split()]
    assert len(set(pairs)) == 3
    weighed = [board for board in engine.boards if board.count("X") == 2]
    columns = [board.replace("/", "").index("X") % 15 for board in weighed]
    black = min(pairs[0], pairs[2], key=lambda pair: (pair[1], pair[0]))
    assert abs(black[0] - 7) == min(abs(column - 7) for column in columns)
    assert next(brain.handle("TURN 0,0"), "").startswith("MESSAGE")


@pytest.mark.parametrize(
    ("k", "said", "answers"),
    [
        (1, "START 15;SWAP2BOARD;DONE", "OK;ERROR swap2 needs a board of 25 cells and 3 in a row"),
        (2, "START 15;SWAP2BOARD;DONE", "OK;ERROR swap2 needs a board of 25 cells and 3 in a row"),
        (1, "START 15;TURN 0,0", "OK;ERROR the game is over: a line is complete"),
        (4, "START 3", "ERROR k must be an integer from 1 to 3, the longer side of the board"),
    ],
)
def test_fewer_in_a_row_win_if_asked(k: int, said: str, answers: str) -> None:
    assert talk(said, k=k) == answers.split(";")


def test_the_time_is_that_of_the_turn_or_a_share_of_the_match_less_a_margin() -> None:
    assert Info().budget_ms() < 1000
    assert 450 <= Info(timeout_turn=500).budget_ms() <= 485
    assert Info(timeout_turn=0).budget_ms() == AT_ONCE_MS
    assert 800 <= Info(timeout_turn=5000, time_left=15_000).budget_ms() < 1000
    assert 800 <= Info(timeout_turn=5000, timeout_match=15_000).budget_ms() < 1000
    assert Info(timeout_turn=500, time_left=UNLIMITED_MS).budget_ms() >= 450
    assert Info(timeout_turn=500, time_left=-20).budget_ms() == AT_ONCE_MS
    assert Info(timeout_turn=10**12).budget_ms() <= 3_600_000


def test_a_whole_conversation_over_streams() -> None:
    def fails(board: Board) -> dict[str, Any]:
        if board.cells.count("X") == 1:
            raise RuntimeError("no luck")
        return {}

    sink, log = io.StringIO(), io.StringIO()
    long = "NOISE " + "x" * 3 * MAX_LINE
    source = io.StringIO(f"START 15\n{long}\nBEGIN\nTURN 3,3\nABOUT\nEND\nBEGIN\n")
    run(Brain(FirstFreeCell(fails)), source, sink, log)
    first_words = [answer.split()[0] for answer in sink.getvalue().splitlines()]
    assert first_words == ["OK", "UNKNOWN", "MESSAGE", "0,0", "ERROR", 'name="Best']
    assert "no luck" in log.getvalue()


@pytest.mark.parametrize(
    ("outcome", "score", "plies", "said"),
    [
        ("win", 1, 5, "depth 5-5 ev +M5 "),
        ("loss", -1, 4, "depth 4-4 ev -M4 "),
        ("draw", 0, 9, "depth 9-9 ev 0 "),
        ("unknown", 0.0, None, "depth 7-7 ev 0 "),
        ("unknown", 0.96, None, "depth 7-7 ev 1557 "),
    ],
)
def test_an_evaluation_tells_proven_wins_from_estimates(
    outcome: Any, score: float, plies: int | None, said: str
) -> None:
    found = {"score": score, "exact": outcome != "unknown", "outcome": outcome, "plies": plies}
    engine = FirstFreeCell(lambda _: found | {"search": SearchStats("stub", depth=7)})
    assert told(Brain(engine), "START 15;BEGIN")[1].startswith(f"MESSAGE {said}n ")


def test_a_search_tells_each_depth_at_once() -> None:
    class Deepening(FirstFreeCell):
        def __call__(self, board: Board, limits: SearchLimits, **options: Any) -> BestMove:
            found = super().__call__(board, limits)
            for depth in (1, 2) if "progress" in options else ():
                options["progress"](replace(found, search=SearchStats("stub", depth=depth)))
            return replace(found, search=SearchStats("stub", depth=3))

    sink = io.StringIO()
    run(Brain(Deepening()), io.StringIO("START 15\nBEGIN\n"), sink, io.StringIO())
    told = [answer.partition("-")[0] for answer in sink.getvalue().splitlines()]
    assert told == ["OK", *(f"MESSAGE depth {depth}" for depth in (1, 2, 3)), "0,0"]


WORDS = ["START", "RECTSTART", "BEGIN", "TURN", "BOARD", "DONE", "TAKEBACK", "PLAY", "RESTART"]
ANSWER = re.compile(r"OK|\d+,\d+|(ERROR|UNKNOWN|MESSAGE) [ -~]+|name=[ -~]+")

lines = st.one_of(
    st.text(max_size=30),
    st.builds(
        "{} {}".format,
        st.sampled_from([*WORDS, "INFO", "SWAP2BOARD", "ABOUT", "YXBOARD", "YXNBEST", "YXSTOP"]),
        st.one_of(
            st.text(max_size=8),
            st.integers(-1, 25).map(str),
            st.builds("{},{}".format, st.integers(-1, 20), st.integers(-1, 20)),
        ),
    ),
    st.builds("{},{},{}".format, *[st.integers(-1, 5)] * 3),
)


@given(st.lists(lines, max_size=25))
def test_whatever_is_said_the_answers_have_the_protocols_form(conversation: list[str]) -> None:
    brain = Brain(FirstFreeCell(), analyst=first_cells)
    for line in conversation:
        for answer in brain.handle(line):
            assert ANSWER.fullmatch(answer)
