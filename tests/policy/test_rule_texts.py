"""What rules tell people to run exists."""

import re
from pathlib import Path

import click
import pytest

from hawser.cli.main import COMMANDS, cli
from hawser.policy import rules
from hawser.policy.registry import Rule, all_rules

#: Words that follow the name where it is no command but the subject of a sentence.
PROSE = {"did", "names", "then"}

FILES = sorted(Path(rules.__path__[0]).parent.rglob("*.py"))


def missing(text: str) -> list[str]:
    """Commands that a text names though hawser has none of that name."""
    found = []
    for name, sub in re.findall(r"\bhawser ([a-z][a-z-]*)(?: ([a-z][a-z-]*))?", text):
        if name not in COMMANDS:
            found += [name] if name not in PROSE else []
            continue
        command = cli.get_command(click.Context(cli), name)
        if isinstance(command, click.Group) and sub and sub not in command.commands:
            found.append(f"{name} {sub}")
    return found


@pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: rule.meta.id)
def test_commands_that_a_rule_names_exist(rule: Rule) -> None:
    assert missing(f"{rule.meta.title} {rule.meta.why} {rule.meta.fix}") == []


def test_commands_in_messages_exist() -> None:
    """Messages are made in functions; a command stands in them in backticks."""
    assert len(FILES) > 40
    for file in FILES:
        for quoted in re.findall(r"`hawser [^`]*`", file.read_text(encoding="utf-8")):
            assert missing(quoted) == [], file


def test_a_command_that_is_not_there_is_noticed() -> None:
    assert missing("Run (hawser launch, `hawser policy list`), as hawser then does.") == ["launch"]
    assert missing("`hawser policy forget`") == ["policy forget"]
