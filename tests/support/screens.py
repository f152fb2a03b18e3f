"""Three typical windows for the page: a desktop, a phone, and a phone in landscape."""

from typing import Any

_PHONE = {"has_touch": True, "is_mobile": True, "device_scale_factor": 2}
SCREENS: dict[str, dict[str, Any]] = {
    "desk": {"viewport": {"width": 1366, "height": 768}},
    "phone": {"viewport": {"width": 390, "height": 844}, **_PHONE},
    "across": {"viewport": {"width": 844, "height": 390}, **_PHONE},
}
