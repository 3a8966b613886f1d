"""What every surface uses: texts, paths, values and whole plans without their secrets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from hawser.errors import CannotJudgeError
from hawser.report.redact.document import Copier
from hawser.report.redact.marks import sensitive_roots
from hawser.report.redact.search import Search
from hawser.report.redact.texts import KnownSecrets
from hawser.terraform.secrets import MASK
from hawser.terraform.values import Value


class Redactor:
    """Hides the secrets of one plan. Build it with ``Redactor.of``."""

    def __init__(self, secrets: Iterable[str] = (), opaque: Iterable[str] = (), structured: Iterable[str] = ()) -> None:
        """Take what was found in a plan.

        ``secrets`` are texts to hide wherever they stand; ``opaque`` are encoded texts that hold a secret and are
        hidden whole; ``structured`` are JSON texts in which a field's name says secret.
        """
        self._known = KnownSecrets(secrets)
        self._opaque = frozenset(opaque)
        self._copier = Copier(self._known, self._opaque, frozenset(structured))
        self._texts: dict[str, str] = {}

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> Redactor:
        """The redactor for a plan document (``terraform show -json``).

        Raises ``CannotJudgeError`` when the document is nested so deeply that it cannot be searched.
        """
        found = Search()
        try:
            found.plan(document)
        except RecursionError:
            raise CannotJudgeError("the plan is nested too deeply to be searched for secrets") from None
        plain = cls(found.secrets)
        opaque = {text for text, decoded in found.encoded.items() if plain.text(decoded) != decoded}
        return cls(found.secrets, opaque, found.structured)

    def text(self, text: str) -> str:
        """The text with every secret in it replaced by ``(sensitive)``."""
        known = self._texts.get(text)
        if known is None:
            known = self._texts[text] = MASK if text in self._opaque else self._known.mask(text)
        return known

    def last_scan(self, text: str) -> str:
        """A finished report with every known secret that still stands in it replaced; nothing, when all went well."""
        return self._known.last_scan(text)

    def path(self, path: str, *sides: Value) -> str:
        """An attribute path, cut where a sensitive value begins: the keys inside it are not for the eye either."""
        for value in sides:
            for root in sensitive_roots(value):
                if path.startswith(root) and path[len(root) : len(root) + 1] in (".", "["):
                    path = root
        return self.text(path)

    def value(self, name: str, value: Any) -> Any:
        """A copy of the value of a field without what the field's name, or a name inside it, calls secret."""
        return self._copier.field(name, value)

    def document(self, document: Mapping[str, Any]) -> dict[str, Any]:
        """A copy of the plan document without its secrets, as ``Copier.document`` makes it."""
        return self._copier.document(document)
