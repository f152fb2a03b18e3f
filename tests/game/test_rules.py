import pytest

from bestmove import Rules
from bestmove.errors import InvalidRules


@pytest.mark.parametrize(
    ("rows", "columns", "k", "field"),
    [
        (0, 3, 3, "rows"),
        (3, 21, 3, "columns"),
        (3, 3, 4, "k"),
        (3, 3, 0, "k"),
        ("3", 3, 3, "rows"),
        (3, True, 1, "columns"),
        (3, 3, 3.0, "k"),
    ],
)
def test_rules_out_of_range_name_the_field(
    rows: object, columns: object, k: object, field: str
) -> None:
    with pytest.raises(InvalidRules) as caught:
        Rules(rows, columns, k)  # type: ignore[arg-type]
    assert caught.value.field == field
