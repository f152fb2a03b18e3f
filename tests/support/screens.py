"""Sizes of browser windows (a desktop, a phone, a phone in landscape), and a position to show."""

from typing import Any

OPEN_THREE = "rows=15&columns=15&k=5&mode=people&moves=h8+i9+h7+j10+h6+k11"
"""The query of a link to a position: X is to move, and has an open three on h6, h7 and h8."""

_PHONE = {"has_touch": True, "is_mobile": True, "device_scale_factor": 2}
SCREENS: dict[str, dict[str, Any]] = {
    "desk": {"viewport": {"width": 1366, "height": 768}},
    "phone": {"viewport": {"width": 390, "height": 844}, **_PHONE},
    "across": {"viewport": {"width": 844, "height": 390}, **_PHONE},
}
