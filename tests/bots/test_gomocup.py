"""The Gomocup brain, with a stand-in for the engine that remembers what it is asked."""

import io
import re
import time
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bestmove.answers import BestMove, Move, SearchStats
from bestmove.bots.gomocup import AT_ONCE_MS, UNLIMITED_MS, Brain, Info
from bestmove.bots.pipes import MAX_LINE, run
from bestmove.game import Board
from bestmove.search.engine import DEFAULT_BYTES, SEARCH_BYTES, searchers
from bestmove.search.limits import MAX_NODES, SearchLimits


class FirstFreeCell:
    """Plays the first empty cell, and remembers what it was asked."""

    def __init__(self) -> None:
        self.boards: list[str] = []
        self.limits: list[SearchLimits] = []
        self.overlines: list[bool] = []

    def __call__(self, board: Board, limits: SearchLimits) -> BestMove:
        self.boards.append(str(board))
        self.limits.append(limits)
        self.overlines.append(board.rules.overline)
        move = board.moves[0]
        stats = SearchStats("stub")
        played = Move.of(move, board.rules), board.play(move)
        return BestMove(board, *played, 0.25, False, "unknown", None, (move,), None, stats)


def talk(*lines: str, engine: FirstFreeCell | None = None, **options: Any) -> list[str]:
    """What the brain answers to these lines, without its messages."""
    brain = Brain(engine or FirstFreeCell(), **options)
    answers = [answer for line in lines for answer in brain.handle(line)]
    return [answer for answer in answers if not answer.startswith("MESSAGE")]


NO_BOARD = "ERROR there is no board: send START first"


@pytest.mark.parametrize(
    ("said", "answers", "board"),
    [
        ("START 15;BEGIN;TURN 7,7;TURN 1,0", "OK;0,0;1,0;ERROR 1,0 is taken", None),
        ("RECTSTART 4,3;TURN 3,0", "OK;0,0", "...X/..../...."),
        ("START 3;BEGIN;TURN 2,2", "OK;0,0;1,0", "X.......O"),
        ("START 3;TURN 2,2;TURN 1,1", "OK;0,0;1,0", "O...X...X"),
        (
            "START 5;BOARD;1,1,2;0,0,1;2,2,2;3,0,1;DONE;TAKEBACK 1,0;TAKEBACK 3,0;TAKEBACK 3,0",
            "OK;1,0;OK;OK;ERROR there is no stone on 3,0",
            "X..X./.O.../..O../...../.....",
        ),
        ("START 3;BOARD;1,1,2;DONE", "OK;0,0", "....X...."),
        ("START 3;BOARD;0,0,2;BEGIN", "OK;ERROR BOARD without DONE is ignored;0,0", None),
        (
            "RECTSTART 5,4;BEGIN;RESTART;TURN 4,3;TURN 4,4",
            "OK;0,0;OK;0,0;ERROR 4,4 is not on the board: x is 0 to 4, y 0 to 3",
            None,
        ),
        ("start 15\r\n;\r\n;begin\r\n", "OK;0,0", None),
        ("START 3;PLAY 1,1;TURN 0,1", "OK;1,1;0,0", "...OX...."),
        (
            "START 21;START 0;RECTSTART 30,20",
            "ERROR a board of 21x21 is not supported: use 1 to 20 columns and 1 to 20 rows;"
            "ERROR a board of 0x0 is not supported;ERROR a board of 30x20 is not supported",
            None,
        ),
        ("START;START fifteen", ";".join(["ERROR START needs the size of the board"] * 2), None),
        ("RECTSTART 15", "ERROR RECTSTART needs width and height", None),
        ("BEGIN;TURN 1,1;RESTART", ";".join([NO_BOARD] * 3), None),
        ("PONDER;5,5;\x00\xff", "UNKNOWN 'PONDER';UNKNOWN '5,5';UNKNOWN '\\x00\\xff'", None),
        ("START 15;BEGIN;BEGIN", "OK;0,0;ERROR BEGIN needs an empty", None),
        (
            "START 15;TURN 3;TURN a,b;TURN 1,1,1;TURN;TURN 99,1;TURN -1,0;BEGIN",
            "OK;ERROR;ERROR;ERROR;ERROR;ERROR;ERROR;0,0",
            "." * 225,
        ),
        ("ABOUT", 'name="Best Move", version="', None),
        (
            "START 15;INFO max_memory 1000000;BEGIN;INFO max_memory 0;BEGIN",
            "OK;ERROR 1000000 bytes of memory are not enough;0,0",
            None,
        ),
        (
            "START 15;INFO;INFO evaluate 3,3;INFO folder /tmp;INFO game_type 2;INFO colour blue;"
            "INFO timeout_turn soon;INFO timeout_turn;INFO budget_ms 5;BEGIN",
            "OK;0,0",
            None,
        ),
        (f"START 15;INFO rule {'9' * 50};BEGIN", "OK;0,0", None),
        (
            "START 15;SWAP2BOARD;7,7;DONE",
            "OK;ERROR swap2 needs 0, 3 or 5 stones on the board, not 1",
            None,
        ),
        ("START 15;SWAP2BOARD;7,7;7,7;8,8;DONE", "OK;ERROR two stones on one cell", None),
        ("START 15;SWAP2BOARD;7,7;15,0;8,8;DONE", "OK;ERROR 15,0 is not on the board", None),
    ],
)
def test_a_conversation_follows_the_protocol(said: str, answers: str, board: str | None) -> None:
    """Check the answers, or how they begin, and the last board that the engine was asked about."""
    engine = FirstFreeCell()
    told = talk(*said.split(";"), engine=engine)
    for answer, expected in zip(told, answers.split(";"), strict=True):
        assert answer == expected or (answer.startswith(expected) and not expected[0].isdigit())
    assert board is None or engine.boards[-1].replace("/", "") == board.replace("/", "")


@pytest.mark.parametrize(
    ("lines", "complaint"),
    [
        (["9,0,1"], "9,0 is not on the board"),
        (["0,0,1", "0,0,2"], "two stones on 0,0"),
        (["0,0,3"], "is not a stone"),
        (["0,0"], "is not a stone"),
        (["-1,0,1"], "is not a stone"),
        (["0,0,1"], "it is not my move"),
        (["0,0,2", "1,0,2"], "it is not my move"),
        (["0,0,1", "1,0,1", "2,0,1", "0,1,2", "1,1,2", "2,1,2"], "both have a line"),
        (["0,0,2", "1,0,2", "2,0,2", "0,1,1", "1,1,1"], "the game is over"),
    ],
)
def test_a_bad_board_is_refused_and_the_old_one_kept(lines: list[str], complaint: str) -> None:
    answers = talk("START 3", "BEGIN", "BOARD", *lines, "DONE", "TURN 2,2")
    assert answers[0:2] == ["OK", "0,0"]
    assert answers[2].startswith("ERROR ")
    assert complaint in answers[2]
    assert answers[3] == "1,0"


@pytest.mark.parametrize("rule", [2, 3, 4, 8])
def test_other_rules_are_refused_at_the_first_command_that_is_answered(rule: int) -> None:
    refusal = f"ERROR rule {rule} is not supported, only 0 (freestyle gomoku) and 1 (exactly five)"
    assert talk("START 15", f"INFO rule {rule}", "BEGIN", "INFO rule 0", "BEGIN") == [
        "OK",
        refusal,
        "0,0",
    ]
    assert talk(f"INFO rule {rule}", "START 15") == [refusal]


@pytest.mark.parametrize(
    ("said", "limit", "value"),
    [
        ((), "overline", True),
        (("INFO rule 0",), "overline", True),
        (("INFO rule 1",), "overline", False),
        (("INFO max_node 3000",), "engine_nodes", 3000),
        (("INFO max_node 3000", "INFO max_node -1"), "engine_nodes", None),
        (("INFO max_node 999999999999999",), "engine_nodes", MAX_NODES),
        ((), "threads", 1),
        (("INFO thread_num 3",), "threads", 3),
        (("INFO thread_num 0",), "threads", 1),
        (("INFO thread_num -3",), "threads", 1),
        (("INFO thread_num 1000",), "threads", 64),
    ],
)
def test_the_managers_settings_reach_the_engine(
    said: tuple[str, ...], limit: str, value: object
) -> None:
    engine = FirstFreeCell()
    talk("START 15", *said, "BEGIN", engine=engine)
    found = engine.overlines[-1] if limit == "overline" else getattr(engine.limits[-1], limit)
    assert found == value


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
    talk("START 15", "INFO thread_num 4", "BEGIN", engine=engine, seed=7)
    assert (engine.limits[-1].seed, engine.limits[-1].threads) == (7, 1)


class Opinionated(FirstFreeCell):
    """Has the same score for every position."""

    def __init__(self, score: float) -> None:
        super().__init__()
        self._score = score

    def __call__(self, board: Board, limits: SearchLimits) -> BestMove:
        return replace(super().__call__(board, limits), score=self._score)


@pytest.mark.parametrize("stones", [["7,7", "8,7", "9,9"], ["7,7", "8,7", "9,9", "3,3", "4,4"]])
def test_swap2_takes_the_side_that_stands_better(stones: list[str]) -> None:
    ask = ["START 15", "SWAP2BOARD", *stones, "DONE"]
    assert talk(*ask, "TURN 0,1", engine=Opinionated(0.2)) == ["OK", "SWAP", "0,0"]
    for not_behind in (-0.2, 0.0, -0.0):
        answers = talk(*ask, "TURN 0,1", engine=Opinionated(not_behind))
        assert answers == ["OK", "0,0", "1,0"]


def test_after_swap2_the_stones_belong_to_the_sides_chosen() -> None:
    ask = ["START 15", "SWAP2BOARD", "7,7", "8,7", "9,9", "DONE", "TURN 0,1"]
    black, white = Opinionated(0.2), Opinionated(-0.2)
    talk(*ask, engine=black)
    talk(*ask, engine=white)
    assert Board.parse(black.boards[-1]).turn == "X"
    assert Board.parse(white.boards[-1]).turn == "O"


def test_swap2_opens_with_the_most_even_of_its_candidates() -> None:
    class ByColumn(FirstFreeCell):
        def __call__(self, board: Board, limits: SearchLimits) -> BestMove:
            answer = super().__call__(board, limits)
            first = board.cells.find("X") % board.rules.columns
            return replace(answer, score=(first - 7) / 20)

    brain = Brain(engine := ByColumn(), seed=3)
    opening = [*brain.handle("START 15"), *brain.handle("SWAP2BOARD"), *brain.handle("DONE")][-1]
    pairs = [tuple(map(int, pair.split(","))) for pair in opening.split()]
    assert len(set(pairs)) == 3
    weighed = [board for board in engine.boards if board.count("X") == 2]
    columns = [board.replace("/", "").index("X") % 15 for board in weighed]
    black = min(pairs[0], pairs[2], key=lambda pair: (pair[1], pair[0]))
    assert abs(black[0] - 7) == min(abs(column - 7) for column in columns)
    assert next(brain.handle("TURN 0,0"), "").startswith("MESSAGE")


@pytest.mark.parametrize(("start", "k"), [("START 4", None), ("START 15", 1), ("START 15", 2)])
def test_swap2_does_not_open_where_the_opening_could_be_unfair(start: str, k: int | None) -> None:
    assert talk(start, "SWAP2BOARD", "DONE", k=k) == [
        "OK",
        "ERROR swap2 needs a board of 25 cells and 3 in a row",
    ]


def test_fewer_in_a_row_win_if_asked() -> None:
    assert talk("START 15", "TURN 0,0", k=1) == ["OK", "ERROR the game is over: a line is complete"]
    assert talk("START 3", "BEGIN", k=4)[0].startswith("ERROR k must be")


def test_the_time_is_that_of_the_turn_or_a_share_of_the_match_less_a_margin() -> None:
    assert Info().budget_ms() < 1000
    assert 450 <= Info(timeout_turn=500).budget_ms() <= 485
    assert Info(timeout_turn=0).budget_ms() == AT_ONCE_MS
    assert 800 <= Info(timeout_turn=5000, time_left=15_000).budget_ms() < 1000
    assert 800 <= Info(timeout_turn=5000, timeout_match=15_000).budget_ms() < 1000
    assert Info(timeout_turn=500, time_left=UNLIMITED_MS).budget_ms() >= 450
    assert Info(timeout_turn=500, time_left=-20).budget_ms() == AT_ONCE_MS
    assert Info(timeout_turn=10**12).budget_ms() <= 3_600_000


def test_the_move_is_due_from_the_lines_arrival() -> None:
    engine = FirstFreeCell()
    brain = Brain(engine, level=3, seed=7)
    for line in ("START 15", "INFO timeout_turn 500", "INFO time_left 100000"):
        list(brain.handle(line))
    arrived = time.monotonic() - 0.2
    list(brain.handle("BEGIN", arrived))
    limits = engine.limits[-1]
    assert limits.deadline is not None
    assert limits.deadline <= arrived + 0.5
    assert (limits.level, limits.seed) == (3, 7)


def test_no_move_takes_longer_than_max_time_ms_whatever_the_manager_allows() -> None:
    brain = Brain(engine := FirstFreeCell(), max_time_ms=50)
    for line in ("START 15", "INFO timeout_turn 5000", "BEGIN"):
        list(brain.handle(line, 10.0))
    limits = engine.limits[-1]
    assert limits.time_ms == 50
    assert limits.deadline == pytest.approx(10.05)
    list(brain.handle("INFO timeout_turn 40"))
    list(brain.handle("TURN 7,7"))
    assert 0 < (engine.limits[-1].time_ms or 0) < 40


def test_the_time_for_a_listed_board_counts_from_the_line_board() -> None:
    engine = FirstFreeCell()
    brain = Brain(engine)
    for line, arrived in [("START 15", 0.0), ("BOARD", 10.0), ("7,7,2", 10.4), ("DONE", 10.6)]:
        list(brain.handle(line, arrived))
    assert engine.limits[-1].deadline is not None
    assert 10.9 < engine.limits[-1].deadline < 11.0


def test_a_whole_conversation_over_streams() -> None:
    class Failing(FirstFreeCell):
        def __call__(self, board: Board, limits: SearchLimits) -> BestMove:
            if board.cells.count("X") == 1:
                raise RuntimeError("no luck")
            return super().__call__(board, limits)

    sink, log = io.StringIO(), io.StringIO()
    long = "NOISE " + "x" * 3 * MAX_LINE
    source = io.StringIO(f"START 15\n{long}\nBEGIN\nTURN 3,3\nABOUT\nEND\nBEGIN\n")
    run(Brain(Failing()), source, sink, log)
    answers = sink.getvalue().splitlines()
    assert [answer.partition(" ")[0] for answer in answers] == [
        "OK",
        "UNKNOWN",
        "MESSAGE",
        "0,0",
        "ERROR",
        'name="Best',
    ]
    assert "no luck" in log.getvalue()


def test_messages_are_one_line_and_ascii() -> None:
    brain = Brain(FirstFreeCell())
    answers = [
        answer for line in ("START 15", "BEGIN", "TURN 3,3") for answer in brain.handle(line)
    ]
    assert all(answer.isascii() and answer.isprintable() for answer in answers)
    assert answers[1].startswith("MESSAGE estimate +0.25 depth 0 nodes 0")
    as_second = [*brain.handle("RESTART"), *brain.handle("TURN 3,3")]
    assert as_second[1].startswith("MESSAGE estimate -0.25")


WORDS = ["START", "RECTSTART", "BEGIN", "TURN", "BOARD", "DONE", "TAKEBACK", "PLAY", "RESTART"]
ANSWER = re.compile(r"OK|\d+,\d+|(ERROR|UNKNOWN|MESSAGE) [ -~]+|name=[ -~]+")

lines = st.one_of(
    st.text(max_size=30),
    st.builds(
        "{} {}".format,
        st.sampled_from([*WORDS, "INFO", "SWAP2BOARD", "ABOUT"]),
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
    brain = Brain(FirstFreeCell())
    for line in conversation:
        for answer in brain.handle(line):
            assert ANSWER.fullmatch(answer)
