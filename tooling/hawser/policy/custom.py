"""Rules of a team: the Python files in ``tooling/rules``, loaded one by one, and an error when one cannot be taken.

Each file stands for itself and is run as it lies there; folders beside the files hold the fixtures of one rule each.
"""

from __future__ import annotations

import inspect
import sys
import traceback
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Final

from hawser.errors import CannotJudgeError
from hawser.policy.registry import OWN, Rule, book

#: Beside the package, like ``tooling/locks``: what a team adds is part of what decides, and of its digest.
FOLDER: Final = Path(__file__).parents[2] / "rules"

_FIX: Final = "Correct the file, or take it out by a reviewed change: see tooling/rules/README.md."


def sources(folder: Path = FOLDER) -> tuple[Path, ...]:
    """The files that are loaded: exactly those that lie in the folder itself, by name."""
    return tuple(sorted(folder.glob("*.py")))


def load(folder: Path) -> tuple[Rule, ...]:
    """The rules of the files in ``folder``, in the order of the files.

    Raises ``CannotJudgeError`` with file and line for a file that does not import, registers nothing, or registers a
    rule that cannot be one; for a rule without a folder of fixtures, for a folder without its rule, and for a file that
    lies where none is looked for.
    """
    rules: dict[str, Rule] = {}
    for file in sources(folder):
        for rule in _load(file):
            if rule.meta.id in rules:
                raise _error(rule.place, f"{rule.meta.id} is defined already in {rules[rule.meta.id].place}")
            if not (folder / rule.meta.id).is_dir():
                raise _error(rule.place, f"{rule.meta.id} has no fixtures: there is no folder {rule.meta.id} beside it")
            rules[rule.meta.id] = rule
    for strange in _strangers(folder, rules):
        raise strange
    return tuple(rules.values())


def _load(file: Path) -> Iterator[Rule]:
    name = _shown(file)
    module = ModuleType(f"hawser_rules_{file.stem}")
    module.__file__ = str(file)
    sys.modules[module.__name__] = module  # dataclasses look their module up
    with book() as found:
        try:
            exec(compile(file.read_bytes(), str(file), "exec"), module.__dict__)  # noqa: S102  as an import would
        except SyntaxError as error:
            raise _error(f"{name}:{error.lineno or 1}", f"is not Python: {error.msg}") from None
        except (Exception, SystemExit) as error:
            raise _error(_line(error, file), f"does not import: {type(error).__name__}: {error}") from None
    if not found:
        raise _error(f"{name}:1", "registers no rule")
    for rule in found.values():
        code = getattr(rule.function, "__code__", None)
        place = f"{name}:{code.co_firstlineno if code else 1}"
        if wrong := _wrong(rule):
            raise _error(place, f"{rule.meta.id} {wrong}")
        yield replace(rule, place=place)


def _wrong(rule: Rule) -> str:
    meta = rule.meta
    if meta.id.startswith(OWN):
        return f"has an id of hawser's own ({OWN}…): take another prefix"
    if rule.on_change is not None and not meta.resource_types:
        return "is a change rule and names no resource type, so it would never be asked"
    try:
        inspect.signature(rule.function).bind(*([None] * (2 if rule.on_change else 1)))
    except TypeError:
        return f"must take {'(change, context)' if rule.on_change else '(context)'}"
    if not inspect.isgeneratorfunction(rule.function):
        return "must yield its hits"
    return ""


def _strangers(folder: Path, rules: dict[str, Rule]) -> Iterator[CannotJudgeError]:
    for file in sorted(folder.rglob("*")):
        # A rule could import it, and no digest of sources would show that it is another one.
        if file.suffix in (".pyc", ".so", ".pyd") and file.parent.name != "__pycache__":
            yield _error(_shown(file), "is compiled: rules are sources that can be read")
    for inside in sorted(folder.glob("*")):
        if not inside.is_dir() or inside.name.startswith((".", "__")):
            continue
        if lost := sorted(inside.glob("*.py")):
            yield _error(_shown(lost[0]), f"is not loaded: rules lie in {folder.name} itself")
        if inside.name not in rules and next(inside.glob("*.json"), None):
            yield _error(_shown(inside), "holds fixtures of a rule that no file defines")


def raised_at(error: BaseException, rule: Rule) -> str:
    """File and line of a team's rule in which it raised."""
    return _line(error, Path(rule.function.__code__.co_filename))


def _line(error: BaseException, file: Path) -> str:
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(file)]
    return f"{_shown(file)}:{lines[-1] if lines else 1}"


def _shown(file: Path) -> str:
    """The path as it is called in a checkout; elsewhere as it is."""
    return f"tooling/rules/{file.relative_to(FOLDER)}" if file.is_relative_to(FOLDER) else str(file)


def _error(place: str, what: str) -> CannotJudgeError:
    return CannotJudgeError(f"{place}: {what}", fix=_FIX)
