"""The settings, and the number of processors that the service may use."""

import dataclasses
from pathlib import Path

import pytest

from bestmove.api.settings import PREFIX, SPARE_THREADS, Settings, unknown
from bestmove.cpus import available_cpus
from bestmove.errors import InvalidSetting


def read(**variables: str) -> Settings:
    return Settings.from_environment({PREFIX + name: value for name, value in variables.items()})


def test_an_empty_environment_gives_the_defaults() -> None:
    assert read() == Settings()
    assert read(PORT="", HOST=" ") == Settings()


def test_the_port_of_the_platform_applies_if_ours_is_not_given() -> None:
    read = Settings.from_environment
    assert read({"PORT": "10000"}) == Settings(port=10000)
    assert read({"PORT": "10000", "BESTMOVE_PORT": " "}) == Settings(port=10000)
    assert read({"PORT": "of call", "BESTMOVE_PORT": "8001"}) == Settings(port=8001)
    with pytest.raises(InvalidSetting, match=r"^PORT must be"):
        read({"PORT": "of call"})


def test_every_setting_can_be_set() -> None:
    origins = "https://a.example,http://b.example"
    text = f"0.0.0.0 9000 3 16 2000 1024 128 2 1 0 {origins} 2 /a/b warning plain 0 5 90 3000"
    names = [field.name for field in dataclasses.fields(Settings)]
    given = dict(zip(names, text.split(), strict=True))
    settings = dataclasses.asdict(read(**{name.upper(): value for name, value in given.items()}))
    assert settings.pop("cors_origins") == tuple(origins.split(","))
    assert settings.pop("metrics") is False
    assert {name: str(value) for name, value in settings.items()}.items() <= given.items()


ORIGINS = "https://Games.Example:443,http://[::1]:80,http://a.example:443,*"
AS_BROWSERS_WRITE_THEM = ("https://games.example", "http://[::1]", "http://a.example:443", "*")


@pytest.mark.parametrize(
    ("given", "name", "value"),
    [
        ({"METRICS": "True"}, "metrics", True),
        ({"METRICS": "no"}, "metrics", False),
        ({"LOG_LEVEL": "INFO"}, "log_level", "info"),
        ({"CORS_ORIGINS": ORIGINS}, "cors_origins", AS_BROWSERS_WRITE_THEM),
        ({}, "default_time_ms", 1_000),
        ({"MAX_TIME_MS": "500"}, "default_time_ms", 500),
        # A stream never has less time than another request.
        ({}, "stream_time_ms", 60_000),
        ({"MAX_STREAM_MS": "5"}, "stream_time_ms", 10_000),
        ({"MAX_TIME_MS": "90000"}, "stream_time_ms", 90_000),
    ],
)
def test_what_people_write_is_read(given: dict[str, str], name: str, value: object) -> None:
    assert getattr(read(**given), name) == value


@pytest.mark.parametrize(
    "given",
    [
        *("PORT=80a", "PORT=8_000", "PORT=tcp://10.0.0.1:8000", "WORKERS=1.5", "WORKER=3"),
        *("HOST=a b", "HOST=unix:here", "HOST=unix:/" + 100 * "x", "TRUSTED_PROXIES=all"),
        *("CORS_ORIGINS=example.org", "CORS_ORIGINS=https://a.example/path", "CORS_ORIGIN=*"),
        *("LOG_LEVEL=loud", "LOG_FORMAT=xml", "METRICS=perhaps", "GRACEFUL_TIMEOUT=30"),
    ],
)
def test_a_bad_setting_is_refused_in_one_line_that_names_it(given: str) -> None:
    name, _, value = given.partition("=")
    with pytest.raises(InvalidSetting) as refused:
        read(**{name: value})
    message = str(refused.value)
    assert PREFIX + name in message
    assert "\n" not in message


def test_variables_of_other_programs_are_ignored() -> None:
    environment = {"BESTMOVE_REQUIRE_COMPILED": "1", "BESTMOVE_SERVICE_HOST": "10.0.0.1", "X": ""}
    assert Settings.from_environment(environment) == Settings()


def test_an_unknown_variable_causes_a_warning_with_a_suggestion() -> None:
    names = ["BESTMOVE_", "BESTMOVE_CORS", "BESTMOVE_HAT", "BESTMOVE_PORT", "BESTMOVE_URL", "HOME"]
    assert unknown(dict.fromkeys(names, "")) == [
        "BESTMOVE_ is not a setting and has no effect",
        "BESTMOVE_CORS is not a setting and has no effect: did you mean BESTMOVE_CORS_ORIGINS?",
        "BESTMOVE_HAT is not a setting and has no effect",
    ]


@pytest.mark.parametrize(
    ("name", "least", "most"),
    [
        ("PORT", 0, 65_535),
        ("THREADS", 3, 256),
        ("MAX_TIME_MS", 1, 3_600_000),
        ("MAX_BODY_BYTES", 64, 64 * 1024 * 1024),
        ("MEMORY_MB", 58, 1024 * 1024),
        ("SEARCH_QUEUE", 0, 45),  # of 48 threads, one searches and two are spare
    ],
)
def test_a_number_may_be_the_least_and_most_of_its_range(name: str, least: int, most: int) -> None:
    others = {"MEMORY_MB": "4096"} if name == "MAX_BODY_BYTES" else {}
    for value in (least, most):
        assert getattr(read(**{name: str(value)}, **others), name.lower()) == value
    for value in (least - 1, most + 1):
        with pytest.raises(InvalidSetting, match=PREFIX + name):
            read(**{name: str(value)}, **others)


def test_too_little_memory_is_refused_with_the_minimum() -> None:
    for given, least in (({}, 58), ({"MAX_BODY_BYTES": "33554432"}, 1340)):
        with pytest.raises(InvalidSetting) as refused:
            read(MEMORY_MB=str(least - 1), **given)
        assert str(refused.value).startswith(f"{PREFIX}MEMORY_MB is {least - 1}, ")
        assert str(refused.value).endswith(f" needs at least {least}")
        read(MEMORY_MB=str(least), **given)


def test_a_variable_that_kubernetes_sets_by_itself_is_explained() -> None:
    for value, is_explained in (("tcp://10.0.0.1:8000", True), ("80a", False)):
        with pytest.raises(InvalidSetting) as refused:
            read(PORT=value)
        assert ("enableServiceLinks" in str(refused.value)) == is_explained


def test_searches_always_leave_threads_for_cheap_requests() -> None:
    for threads in range(3, 40):
        settings = Settings(threads=threads)
        assert settings.most_searches == settings.queue + 1 == threads - SPARE_THREADS


@pytest.mark.parametrize(
    ("files", "cpus"),
    [
        ({"cpu.max": "max 100000"}, 4),
        ({"cpu.max": "nonsense"}, 4),
        ({"cpu.max": "50000 100000"}, 1),
        ({"cpu.max": "250000 100000"}, 3),
        ({"cpu.max": "900000 100000"}, 4),
        # the older cgroups
        ({"cpu/cpu.cfs_period_us": "100000", "cpu/cpu.cfs_quota_us": "-1"}, 4),
        ({"cpu/cpu.cfs_period_us": "100000", "cpu/cpu.cfs_quota_us": "90000"}, 1),
    ],
)
def test_the_cpus_are_those_of_this_process_and_the_limit_rounded_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, files: dict[str, str], cpus: int
) -> None:
    monkeypatch.setattr("os.sched_getaffinity", lambda _: {0, 1, 5, 7})
    (tmp_path / "cpu").mkdir()
    for name, text in files.items():
        (tmp_path / name).write_text(text + "\n")
    assert available_cpus(tmp_path) == cpus
