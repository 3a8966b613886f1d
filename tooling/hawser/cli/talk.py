"""What hawser says while it works: on stderr, a line per step; a moving counter only for a person at a terminal."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Mapping
from typing import Any

import click


class Talk:
    """The talk of one run. stdout is left to the result."""

    def __init__(self) -> None:
        self._live = sys.stderr.isatty()
        self._dirty = False

    def step(self, text: str) -> None:
        """One line: what happens now."""
        with contextlib.suppress(OSError):  # nobody listens any more: the work goes on
            self._wipe()
            click.echo(text, err=True)

    def count(self, text: str) -> None:
        """A moving line at a terminal; nothing elsewhere."""
        if not self._live:
            return
        with contextlib.suppress(OSError):
            sys.stderr.write(f"\r\033[K  {text}")
            sys.stderr.flush()
            self._dirty = True

    def done(self) -> None:
        """The moving line ends."""
        with contextlib.suppress(OSError):
            self._wipe()

    def _wipe(self) -> None:
        if self._dirty:
            sys.stderr.write("\r\033[K")
            self._dirty = False


class Events:
    """Follows terraform's machine-readable output: progress for the person, errors and apply results for the caller.

    The texts of diagnostics may quote values; ``mask`` is applied to each before it is kept.
    """

    def __init__(self, talk: Talk, stack: str, mask: Any) -> None:
        self._talk, self._stack, self._mask = talk, stack, mask
        self.errors: list[str] = []
        self.warnings: list[str] = []
        self.applied: list[str] = []
        self.failed: list[str] = []
        self.started: list[str] = []
        self._seen = 0

    def __call__(self, event: Mapping[str, Any]) -> None:
        """One event of ``terraform … -json``."""
        kind = event.get("type")
        if kind == "diagnostic":
            self._diagnostic(event.get("diagnostic") or {})
        elif kind in ("refresh_start", "planned_change", "apply_progress"):
            self._seen += 1
            address = ((event.get("hook") or event.get("change") or {}).get("resource") or {}).get("addr", "")
            self._talk.count(f"{self._stack}: {kind.replace('_', ' ')} {self._seen} {str(address)[:60]}")
        elif kind in ("apply_start", "apply_complete", "apply_errored"):
            self._apply(kind, event.get("hook") or {})

    def _apply(self, kind: str, hook: Mapping[str, Any]) -> None:
        address, action = str((hook.get("resource") or {}).get("addr", "")), str(hook.get("action", ""))
        if action in ("read", "noop"):
            return
        if kind == "apply_start":
            self.started.append(address)
            return
        (self.applied if kind == "apply_complete" else self.failed).append(f"{action} {address}")
        mark = "done  " if kind == "apply_complete" else "FAILED"
        self._talk.step(f"  {mark} {action} {address} ({hook.get('elapsed_seconds', 0)} s)")

    def _diagnostic(self, diagnostic: Mapping[str, Any]) -> None:
        place = diagnostic.get("range") or {}
        where = f"{place['filename']}:{(place.get('start') or {}).get('line', 1)}" if place.get("filename") else ""
        parts = [str(diagnostic.get("summary", "")).strip(), str(diagnostic.get("detail", "")).strip()]
        text = ": ".join(p for p in parts if p)
        named = ", ".join(p for p in (str(diagnostic.get("address") or ""), where) if p)
        line = self._mask(f"{text} ({named})" if named else text)
        (self.errors if diagnostic.get("severity") == "error" else self.warnings).append(line)

    def unfinished(self) -> list[str]:
        """Addresses whose apply began and neither ended nor failed."""
        ended = {line.split(" ", 1)[1] for line in self.applied + self.failed}
        return [address for address in self.started if address not in ended]
