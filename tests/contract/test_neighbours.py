"""Environments of one account and region share bootstrap's inputs and nothing else; the CI's fields."""

from __future__ import annotations

from pathlib import Path

import pytest
from inputs import edited, env_text, line_of, problems

from hawser.contract import ContractError, Problem, load_deployment

#: Edits that make a second environment of prod's account that collides with it nowhere.
STAGING = (
    ("name: prod #", "name: staging #"),
    ("key_prefix: prod\n", "key_prefix: staging\n"),
    ("name: hawser-prod\n", "name: hawser-staging\n"),
    ("cr-0123456789abcdef0", "cr-0fedcba9876543210"),
)
CI = env_text("prod")[env_text("prod").index("  ci:") : env_text("prod").index("\nguardrails")]


def beside_prod(checkout: Path, *edits: tuple[str, str]) -> tuple[str, tuple[Problem, ...]]:
    """A staging environment beside prod: its text, and what is wrong with it."""
    text = edited(edited(env_text("prod"), *STAGING), *edits)
    folder = checkout / "environments/staging"
    folder.mkdir()
    (folder / "env.yaml").write_text(text, encoding="utf-8")
    try:
        load_deployment(checkout, "staging")
    except ContractError as error:
        return text, error.problems
    return text, ()


def test_two_environments_live_in_one_account(checkout: Path) -> None:
    assert beside_prod(checkout)[1] == ()
    load_deployment(checkout, "prod")


@pytest.mark.parametrize(
    ("path", "edit", "at"),
    [
        ("state.bucket", ("bucket: hawser-state-", "bucket: other-state-"), "bucket: other-state-"),
        ("state.ci", (CI, ""), "state: #"),
        ("state.ci", ("environments: [prod]", "environments: [staging]"), "  ci: #"),
        ("weights_uri", ("s3://hawser-weights-", "s3://other-weights-"), "weights_uri:"),
        ("registry", ("registry: 1111222", "registry: 9111222"), "registry:"),
        (
            "overrides.image.name",
            ("overrides: {}", "overrides: {image: {name: vllm/nightly}}"),
            "overrides:",
        ),
        ("cluster.name", ("hawser-staging", "hawser-prod"), "name: hawser-prod"),
        (
            "capacity.k3-block-a.reservation_id",
            ("cr-0fedcba9876543210", "cr-0123456789abcdef0"),
            "cr-0123456789abcdef0",
        ),
    ],
)
def test_what_collides_is_told_at_its_line(checkout: Path, path: str, edit: tuple[str, str], at: str) -> None:
    text, found = beside_prod(checkout, edit)
    (problem,) = found
    assert (problem.path, problem.place.file) == (path, "environments/staging/env.yaml")
    assert problem.place.line == line_of(text, at)
    assert "prod" in problem.expected
    assert problem.why
    with pytest.raises(ContractError) as both:
        load_deployment(checkout, "prod")
    assert [p.path for p in both.value.problems] == [path]


def test_another_account_and_the_emulator_are_other_worlds(checkout: Path) -> None:
    text = edited(env_text("dev"), ("bucket: hawser-state-", "bucket: other-state-"))
    (checkout / "environments/dev/env.yaml").write_text(text, encoding="utf-8")
    load_deployment(checkout, "prod")
    load_deployment(checkout, "local")


def test_a_neighbour_that_is_no_yaml_does_not_stop_this_one(checkout: Path) -> None:
    (checkout / "environments/dev/env.yaml").write_text("name: [", encoding="utf-8")
    load_deployment(checkout, "prod")


def test_own_mistakes_and_collisions_are_told_at_once(checkout: Path) -> None:
    _, found = beside_prod(checkout, ("hawser-staging", "hawser-prod"), ("approvals: 1", "approvals: 9"))
    assert [p.path for p in found] == ["cluster.name", "guardrails.approvals"]


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("state.ci.issuer", "https://token.actions", "http://token.actions"),
        ("state.ci.issuer", "githubusercontent.com\n", "githubusercontent.com/\n"),
        ("state.ci.provider", "provider: create", "provider: made"),
        ("state.ci.repository", "example-org/hawser", "example-org/*"),
        ("state.ci.branch", "branch: main", "branch: release/*"),
        ("state.ci.environments", "environments: [prod]", "environments: []"),
        ("state.ci.environments.0", "[prod] #", '["*"] #'),
        ("state.ci.environment", "environments: [prod]", "environment: [prod]"),
    ],
)
def test_ci_is_strict(path: str, old: str, new: str) -> None:
    text = edited(env_text("prod"), (old, new))
    (problem,) = problems(env=text)
    assert problem.path == path
    assert problem.place.line == line_of(text, new.strip())
    assert problem.fix


@pytest.mark.parametrize("repository", ["owner@1234/name@5678", "owner/name.with_dots-1"])
def test_subjects_with_ids_are_written_as_they_are(repository: str) -> None:
    assert problems(env=edited(env_text("prod"), ("example-org/hawser", repository))) == ()
