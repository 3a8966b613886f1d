"""Finds known secrets in texts, fast enough for plans of thousands of resources."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from hawser.decision.decide import Decision
from hawser.policy.findings import Level, Severity, Verdict
from hawser.report.redact.encodings import ANYWHERE, spellings
from hawser.terraform.plan import Action
from hawser.terraform.secrets import MASK, mask

#: Shorter secrets are hidden in their place, not searched for in other texts: they would destroy them.
SHORTEST: Final = 4
#: Words that every report needs and that are no secret even where one has this value.
_WORDS: Final = frozenset(
    {"true", "false", "null", "none", "default", "enabled", "disabled"}
    | {member.value for kind in (Action, Decision, Level, Severity, Verdict) for member in kind}
)
_GRAM: Final = 4
#: What stands where a text was cut.
_CUT: Final = "…"


class KnownSecrets:
    """The secrets of one plan in all their spellings."""

    def __init__(self, secrets: Iterable[str]) -> None:
        """``secrets`` are texts to hide wherever they stand."""
        wanted = {secret for secret in secrets if len(secret) >= SHORTEST and secret.lower() not in _WORDS}
        known = {spelling for secret in wanted for spelling in spellings(secret)}
        self._starts: dict[str, tuple[str, ...]] = {}
        self._tokens: dict[str, tuple[str, ...]] = {}
        for secret in sorted(known, key=lambda text: (-len(text), text)):
            table = self._starts if len(secret) >= ANYWHERE else self._tokens
            table[secret[:_GRAM]] = (*table.get(secret[:_GRAM], ()), secret)
        self._longest = max((len(secret) for secret in known), default=0)
        # A secret of eight characters covers one aligned group of four wherever it stands: most texts hold none.
        self._grams = frozenset(
            secret[i : i + _GRAM] for group in self._starts.values() for secret in group for i in range(_GRAM)
        )

    def last_scan(self, text: str) -> str:
        """The text with every long secret replaced, wherever it stands."""
        return self._replace(text, self._starts, whole=False) if self._starts else text

    def mask(self, text: str, *, stand_ins: bool = False) -> str:
        """The text without known secrets and without what has the shape of one."""
        text = mask(text, stand_ins=stand_ins)
        if self._starts and any(text[i : i + _GRAM] in self._grams for i in range(0, len(text) - _GRAM + 1, _GRAM)):
            text = self._replace(text, self._starts, whole=False)
        if self._starts and _CUT in text:
            text = self._without_beginnings(text)
        if self._tokens and len(text) >= SHORTEST:
            text = self._replace(text, self._tokens, whole=True)
        return text

    def _without_beginnings(self, text: str) -> str:
        """A text that was cut may end in the beginning of a secret: no half of one is shown either."""
        pieces = text.split(_CUT)
        for number, piece in enumerate(pieces[:-1]):
            for at in range(max(0, len(piece) - self._longest), len(piece) - _GRAM + 1):
                if any(secret.startswith(piece[at:]) for secret in self._starts.get(piece[at : at + _GRAM], ())):
                    pieces[number] = piece[:at] + MASK
                    break
        return _CUT.join(pieces)

    @staticmethod
    def _replace(text: str, table: Mapping[str, tuple[str, ...]], *, whole: bool) -> str:
        pieces, done, at = [], 0, 0
        while at <= len(text) - _GRAM:
            for secret in table.get(text[at : at + _GRAM], ()):
                end = at + len(secret)
                if text.startswith(secret, at) and not (whole and _inside_word(text, at, end)):
                    pieces += [text[done:at], MASK]
                    done = end
                    at = end - 1
                    break
            at += 1
        return "".join([*pieces, text[done:]]) if pieces else text


def _inside_word(text: str, start: int, end: int) -> bool:
    before, after = text[start - 1 : start], text[end : end + 1]
    return (before.isalnum() or before == "_") or (after.isalnum() or after == "_")
