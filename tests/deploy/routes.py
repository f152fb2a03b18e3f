"""The routes that the service really has."""

from __future__ import annotations

from bestmove.api.app import create_app

ROUTES = frozenset(rule.rule for rule in create_app().url_map.iter_rules())
