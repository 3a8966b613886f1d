"""What is wrong with the input files: one problem per place, all of them at once."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from hawser.contract.deployment import Place
from hawser.errors import Exit, HawserError

#: Longest piece of the user's own text that a message repeats, in characters.
_LONGEST: Final = 60

_SECRET: Final = re.compile(
    r"(AKIA|ASIA)[0-9A-Z]{12,}"  # AWS access key ids
    r"|\b(hf_|sk-|gh[opsu]_|github_pat_|glpat-|xox[abprs]-|eyJ)[0-9A-Za-z_-]{8,}"  # tokens that name their issuer
    r"|-----BEGIN"
    r"|://[^/\s:@]+:[^/\s@]+@"  # credentials in a URL
    r"|(?i:(pass(word|wd|phrase)?|secret|token|api_?key|credential)\w*\s*[=:]\s*\S)"
)
_SECRET_NAME: Final = re.compile(r"(?i)(passw|passphrase|secret|token|api_?key|credential|private_?key)")
#: Long runs, and how many digits make one that mixes small and capital letters a key rather than a name.
_RUNS: Final = ((re.compile(r"[0-9A-Za-z+/=_-]{24,}"), 3), (re.compile(r"[0-9A-Za-z+/=]{30,}"), 1))


@dataclass(frozen=True, slots=True)
class Problem:
    """One mistake: where, what is found there, what is expected, how to mend it, and why it matters.

    ``path`` is the dotted path of the field (``capacity.k3-a.count``), ``""`` for the file as a whole.
    """

    place: Place
    path: str
    found: str
    expected: str
    fix: str
    why: str = ""

    def __str__(self) -> str:
        """One line that editors and terminals link, ending with the fix."""
        where = f"{self.place.file}:{self.place.line}:{self.place.column}: "
        path = f"{self.path}: " if self.path else ""
        return f"{where}{path}found {self.found}; expected {self.expected}; fix: {self.fix}"

    def sort_key(self) -> tuple[str, int, int, str, str, str]:
        """By file, line and column; the rest makes the order total."""
        return (self.place.file, self.place.line, self.place.column, self.path, self.found, self.expected)


class ContractError(HawserError):
    """The contract, the environment, or both together are not valid. ``problems`` holds all there is to mend."""

    exit_code = Exit.CONTRACT_INVALID

    def __init__(self, problems: Iterable[Problem], *, beside: str = "") -> None:
        """Sorts ``problems`` by place and drops repetitions. ``beside`` is one more sentence for the person."""
        unique = {problem.sort_key(): problem for problem in problems}
        self.problems = tuple(unique[key] for key in sorted(unique))
        files = " and ".join(sorted({problem.place.file for problem in self.problems}))
        count = "1 problem" if len(self.problems) == 1 else f"{len(self.problems)} problems"
        listing = "\n".join(f"  {problem}" for problem in self.problems)
        first = f"{beside}, and " if beside else ""
        super().__init__(f"{first}{count} in {files}\n{listing}", fix="Mend them all, then run the same command again.")


def shown(text: str, *, name: str = "") -> str:
    """The user's own text as a message may repeat it: in one line, cut, and never when it looks like a secret.

    ``name`` is the key that holds it.
    """
    if _looks_secret(text) or (name and _SECRET_NAME.search(name.rpartition(".")[2]) and text):
        return "a value that looks like a secret (not shown)"
    line = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)
    if len(line) > _LONGEST:
        return f"{line[:_LONGEST]}… ({len(text)} characters)"
    return line


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name that ``name`` was probably meant to be, or nothing."""
    near = difflib.get_close_matches(name[:100], sorted(known), n=1, cutoff=0.6)
    return near[0] if near else None


def _looks_secret(text: str) -> bool:
    if _SECRET.search(text):
        return True
    return any(
        re.search("[a-z]", run) and re.search("[A-Z]", run) and len(re.findall("[0-9]", run)) >= digits
        for pattern, digits in _RUNS
        for run in pattern.findall(text)
    )
