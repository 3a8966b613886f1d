"""What the reader refuses, with line and column."""

from __future__ import annotations

from pathlib import Path

import pytest
from inputs import CONTRACT, edited, env_text, problems

from hawser.contract.load import DEEPEST, LARGEST_BYTES, MOST_VALUES, parse, read_source


def told(data: bytes | str) -> list[tuple[int, int, str]]:
    source = parse(data.encode() if isinstance(data, str) else data, "x.yaml")
    return [(p.place.line, p.place.column, p.found) for p in source.problems]


@pytest.mark.parametrize(
    ("text", "line", "column", "found"),
    [
        ("a: 1\nb:\n  c: 1\n  c: 2\n", 4, 3, "the key again (first in line 3)"),
        ("a: 1\nb: !!python/object:os.system 1\n", 2, 4, "the tag tag:yaml.org,2002:python/object:os.system"),
        ("a: !vault x\n", 1, 4, "the tag !vault"),
        ("a: &x 1\n", 1, 4, "an anchor (&x)"),
        ("a: &x 1\nb: *x\n", 2, 4, "an alias (*x)"),
        ("a: 1\nb:\n  <<: {c: 1}\n", 3, 3, "a merge key (<<)"),
        ("a: 1\n---\nb: 2\n", 2, 1, "a second document"),
        ("a: 1\n1: x\n", 2, 1, "the key 1, which YAML does not read as text"),
        ("NO: x\n", 1, 1, "the key NO, which YAML does not read as text"),
        ("2026-01-01: x\n", 1, 1, "the key 2026-01-01, which YAML does not read as text"),
        ("? [a]\n: x\n", 1, 3, "a list or mapping as a key"),
        ("a:\n\tb: 1\n", 2, 1, "a tab"),
        ("a: 1 \t# x\n", 1, 6, "a tab"),
        ("a: x\x07y\n", 1, 5, "the character U+0007"),
        ("a: [1\n", 2, 1, "did not find expected ',' or ']'"),
        ("a: b: c\n", 1, 5, "mapping values are not allowed in this context"),
        ("", 1, 1, "an empty file"),
        ("# only a comment\n", 1, 1, "an empty file"),
        ("- a\n", 1, 1, "no names"),
        ("text\n", 1, 1, "no names"),
    ],
)
def test_refused_with_its_place(text: str, line: int, column: int, found: str) -> None:
    assert (line, column, found) in told(text)


def test_references_say_why() -> None:
    (problem, _) = parse(b"a: &x 1\nb: *x\n", "x.yaml").problems
    assert "change far away" in problem.why


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_other_encodings_are_refused(encoding: str) -> None:
    assert told("a: 1\n".encode(encoding)) == [(1, 1, "UTF-16 or UTF-32")]


def test_latin_1_is_refused_at_its_byte() -> None:
    assert told("a: 1\nb: grün\n".encode("latin-1")) == [(2, 6, "byte 0xfc")]


def test_a_byte_order_mark_is_accepted() -> None:
    assert told(b"\xef\xbb\xbfa: text\n") == []


def test_windows_line_ends_are_accepted() -> None:
    assert problems(CONTRACT.replace("\n", "\r\n"), env_text("prod").replace("\n", "\r\n")) == ()


def test_depth_and_number_are_bounded() -> None:
    assert told("a: " + "[" * DEEPEST + "]" * DEEPEST)[0][2] == f"more than {DEEPEST} levels"
    assert told("a: " + "{b: " * 900)[0][2] == f"more than {DEEPEST} levels"
    assert told("a: [" + "x, " * MOST_VALUES + "]")[0][2] == f"more than {MOST_VALUES} values"


def test_large_missing_and_special_files_are_refused(tmp_path: Path) -> None:
    large = tmp_path / "large.yaml"
    large.write_bytes(b"a: 1\n" + b"#" * LARGEST_BYTES)
    assert "bytes" in read_source(large, "large.yaml").problems[0].found
    assert read_source(tmp_path / "none.yaml", "none.yaml").problems[0].found == "no such file"
    assert read_source(tmp_path, "folder").problems[0].found == "no such file"


@pytest.mark.parametrize(
    ("written", "meaning"),
    [
        ("012345670123", "a number"),
        ("111122223333", "a number"),
        ("0o17", "a number"),
        ("0x1F", "a number"),
        ("1_000", "a number"),
        ("1e3", "a number"),
        (".inf", "a number"),
        ("12:30", "a number in base 60"),
        ("NO", "true or false"),
        ("yes", "true or false"),
        ("true", "true or false"),
        ("2026-11-30", "a date"),
        ("2027-01-11T11:30:00Z", "a date"),
        ("null", "nothing"),
        ("~", "nothing"),
    ],
)
def test_untyped_scalars_in_text_fields_are_refused_with_advice_to_quote(written: str, meaning: str) -> None:
    env = edited(env_text("prod"), ('account_id: "111122223333"', f"account_id: {written}"))
    (problem,) = problems(env=env)
    assert problem.path == "account_id"
    assert problem.found == f"{written} without quotes, which YAML reads as {meaning}"
    assert problem.fix == f'write it in quotes: "{written}"'


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("image.engine.version", 'version: "0.33.0"', "version: 1.10"),
        ("image.cuda", 'cuda: "13.0"', "cuda: 13.0"),
        ("image.minimum_driver", 'minimum_driver: "580"', "minimum_driver: 580"),
    ],
)
def test_numbers_in_text_fields_keep_how_they_were_written(path: str, old: str, new: str) -> None:
    (problem,) = problems(edited(CONTRACT, (old, new)))
    assert problem.path == path
    assert problem.fix == f'write it in quotes: "{new.split(": ")[1]}"'


@pytest.mark.parametrize(
    ("old", "new", "found", "expected"),
    [
        ("emulator: false", "emulator: no", "no", "true or false"),
        ("emulator: false", 'emulator: "false"', "false", "true or false"),
        ("replicas: 2", 'replicas: "2"', "2", "a whole number"),
        ("replicas: 2", "replicas: 02", "02", "a whole number"),
        ("replicas: 2", "replicas: 2.0", "2.0", "a whole number"),
        ("replicas: 2", "replicas: true", "true", "a whole number"),
        ("replicas: 2", "replicas:", "nothing", "a whole number"),
        ("target: eks", "target: ecs", "ecs", "one of eks, hyperpod"),
        ("replicas: 2", "replicas: 0", "0", "at least 1"),
        ("public_access_cidrs: []", "public_access_cidrs: none", "none", "a list"),
        ("tags:\n", "tags: none\nx:\n", "none", "`name: value` lines"),
        ("levels: {}", "levels: {hw-1: block}", "the name hw-1", "a rule id such as HW-CAP-001 or CKV_AWS_58"),
    ],
)
def test_other_types_say_what_is_expected(old: str, new: str, found: str, expected: str) -> None:
    told = problems(env=edited(env_text("prod"), (old, new)))
    assert (found, expected) in {(p.found, p.expected) for p in told}


def test_an_unknown_name_is_told_with_the_nearest_and_not_twice() -> None:
    (problem,) = problems(env=edited(env_text("prod"), ("replicas: 2", "replcas: 2")))
    assert (problem.path, problem.found, problem.fix) == ("replcas", "an unknown name", "rename it to replicas")


def test_a_missing_field_is_told_at_what_should_hold_it() -> None:
    (problem,) = problems(env=edited(env_text("prod"), ("  approval_age_hours: 24\n", "")))
    assert problem.path == "guardrails.approval_age_hours"
    assert env_text("prod").splitlines()[problem.place.line - 1].startswith("guardrails:")


def test_no_secret_is_repeated() -> None:
    for secret in (
        "AKIAIOSFODNN7EXAMPLE",
        "hf_abcdefghijklmnopqrstuvwx",
        "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
        "https://user:hunter2@example.com",
        "eyJhbGciOiJIUzI1NiJ9.e30.abc",
    ):
        env = edited(
            env_text("prod"), ("region: us-west-2", f"region: {secret}"), ("team: inference", f"'{secret};': x")
        )
        text = "\n".join(map(str, problems(env=env)))
        assert "looks like a secret" in text
        assert secret not in text


def test_long_values_are_cut() -> None:
    (problem,) = problems(env=edited(env_text("prod"), ("region: us-west-2", f"region: {'x' * 500}")))
    assert problem.found == f"{'x' * 60}… (500 characters)"


@pytest.mark.parametrize(
    "character",
    ["\u200b", "\u202e", "\u2066", "\u00ad", "\u3164", "\U000e0041"],
    ids=lambda character: f"U+{ord(character):04X}",
)
@pytest.mark.parametrize("escaped", [False, True])
def test_a_character_that_nobody_sees_is_refused(character: str, escaped: bool) -> None:
    code = f"\\U{ord(character):08x}" if escaped else character
    source = parse(f'name: "prod{code}"\nother: text\n'.encode(), "env.yaml")
    (problem,) = source.problems
    assert (problem.place.line, problem.found) == (1, f"the character U+{ord(character):04X}")
    assert problem.fix == "remove it"


def test_text_of_other_scripts_is_text() -> None:
    assert parse('name: "Größe 東京 ✓"\n'.encode(), "env.yaml").problems == ()
