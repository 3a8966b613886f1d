"""Who can do more: by statement and by holder, whatever form policies are written in."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.handmade_plans import entry, plan

from hawser.policy.iam import Statement, statements_of
from hawser.policy.privileges import Direction, Privilege, privileges
from hawser.policy.registry import Context
from hawser.policy.rights import Cause
from hawser.policy.statement_diff import gains, pattern_covers

MORE, LESS, UNSURE = Direction.MORE, Direction.LESS, Direction.UNKNOWN
EC2 = {"Effect": "Allow", "Action": "sts:AssumeRole", "Principal": {"Service": "ec2.amazonaws.com"}}
READ = {"Effect": "Allow", "Action": "s3:GetObject", "Resource": "arn:aws:s3:::weights/*"}
GUARD = {"Effect": "Deny", "Action": "s3:Delete*", "Resource": "*"}


def policy(*statements: dict[str, Any]) -> str:
    return json.dumps({"Version": "2012-10-17", "Statement": list(statements)})


def role(*trust: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"name": "node", "id": "node", "assume_role_policy": policy(*(trust or (EC2,))), **more}


def inline(*statements: dict[str, Any]) -> dict[str, Any]:
    return {"name": "p", "role": "node", "policy": policy(*statements)}


def stays(address: str, value: dict[str, Any]) -> dict[str, Any]:
    return entry(address, ["no-op"], value, value)


def found(*changes: dict[str, Any], **more: Any) -> tuple[Privilege, ...]:
    return privileges(Context(plan(*changes, **more)))


def of_policies(before: list[dict[str, Any]], after: list[dict[str, Any]]) -> list[tuple[Direction, Cause]]:
    """What a role that stays gains and loses when its one policy changes."""
    change = entry("aws_iam_role_policy.p", ["update"], inline(*before), inline(*after))
    return [(one.direction, one.cause) for one in found(stays("aws_iam_role.node", role()), change)]


BOUND = {**READ, "Condition": {"StringEquals": {"aws:PrincipalOrgID": "o-1"}}}
CASES = {
    "added statement": ([READ], [READ, {**READ, "Action": "s3:PutObject"}], [(MORE, Cause.ALLOW)]),
    "added action": ([READ], [{**READ, "Action": ["s3:PutObject", "s3:GetObject"]}], [(MORE, Cause.ALLOW)]),
    "added resource": (
        [READ],
        [{**READ, "Resource": ["arn:aws:s3:::weights/*", "arn:aws:s3:::logs/*"]}],
        [(MORE, Cause.ALLOW)],
    ),
    "wildcard for a name": ([READ], [{**READ, "Action": "s3:Get*"}], [(MORE, Cause.ALLOW)]),
    "name for a wildcard": ([{**READ, "Action": "s3:Get*"}], [READ], [(LESS, Cause.ALLOW)]),
    "everything but": ([READ], [{"Effect": "Allow", "NotAction": "iam:*", "Resource": "*"}], [(MORE, Cause.ALLOW)]),
    "everything but less": (
        [{"Effect": "Allow", "NotAction": ["iam:*", "kms:*"], "Resource": "*"}],
        [{"Effect": "Allow", "NotAction": "iam:*", "Resource": "*"}],
        [(MORE, Cause.ALLOW)],
    ),
    "named instead of everything but": (
        [{"Effect": "Allow", "NotAction": "iam:*", "Resource": "*"}],
        [READ],
        [(LESS, Cause.ALLOW)],
    ),
    "lost deny": ([READ, GUARD], [READ], [(MORE, Cause.DENY)]),
    "narrower deny": ([GUARD], [{**GUARD, "Action": "s3:DeleteObject"}], [(MORE, Cause.DENY)]),
    "deny under a condition": ([GUARD], [{**GUARD, "Condition": {"Bool": {"aws:x": "true"}}}], [(MORE, Cause.DENY)]),
    "deny becomes allow": ([GUARD], [{**GUARD, "Effect": "Allow"}], [(MORE, Cause.DENY), (MORE, Cause.ALLOW)]),
    "wider deny": ([GUARD], [{**GUARD, "Action": "s3:*"}], [(LESS, Cause.DENY)]),
    "lost condition": ([BOUND], [READ], [(MORE, Cause.CONDITION)]),
    "wider condition": (
        [BOUND],
        [{**READ, "Condition": {"StringEquals": {"aws:PrincipalOrgID": ["o-1", "o-2"]}}}],
        [(MORE, Cause.CONDITION)],
    ),
    "added condition": ([READ], [BOUND], [(LESS, Cause.CONDITION)]),
}


@pytest.mark.parametrize("name", CASES)
def test_difference_of_one_policy(name: str) -> None:
    before, after, expected = CASES[name]
    assert of_policies(before, after) == expected


SAME = {
    "order of statements": ([READ, GUARD], [GUARD, READ]),
    "text instead of a list": ([READ], [{**READ, "Action": ["s3:GetObject"], "Resource": ["arn:aws:s3:::weights/*"]}]),
    "order of a list": ([{**READ, "Action": ["s3:A", "s3:B"]}], [{**READ, "Action": ["s3:B", "s3:A", "s3:B"]}]),
    "case of actions and keys": (
        [BOUND],
        [{**BOUND, "Action": "S3:getobject", "Condition": {"StringEquals": {"AWS:principalorgid": ["o-1"]}}}],
    ),
    "one statement as two": (
        [{**READ, "Action": ["s3:A", "s3:B"]}],
        [{**READ, "Action": "s3:A"}, {**READ, "Action": "s3:B"}],
    ),
    "another Sid": ([{**READ, "Sid": "a"}], [{**READ, "Sid": "b"}]),
    "what is covered already": ([{**READ, "Action": "s3:*"}], [{**READ, "Action": ["s3:*", "s3:GetObject"]}]),
}


@pytest.mark.parametrize("name", SAME)
def test_form_and_order_are_no_change(name: str) -> None:
    before, after = SAME[name]
    assert of_policies(before, after) == []


ACTIONS = ("s3:GetObject", "s3:Get*", "s3:*", "iam:PassRole", "*")
STATEMENTS = st.builds(
    lambda effect, actions, resources, org: {
        "Effect": effect,
        "Action": actions,
        "Resource": resources,
        **({"Condition": {"StringEquals": {"aws:PrincipalOrgID": org}}} if org else {}),
    },
    st.sampled_from(["Allow", "Deny"]),
    st.lists(st.sampled_from(ACTIONS), min_size=1, max_size=3, unique=True),
    st.lists(st.sampled_from(["*", "arn:aws:s3:::a/*", "arn:aws:s3:::a/b"]), min_size=1, max_size=2, unique=True),
    st.sampled_from(["", "o-1", "o-2"]),
)


@settings(deadline=None)
@given(st.lists(STATEMENTS, min_size=1, max_size=4), st.randoms(use_true_random=False))
def test_a_shuffled_and_divided_policy_is_the_same(statements: list[dict[str, Any]], random: Any) -> None:
    divided = [{**one, "Action": action} for one in statements for action in one["Action"]]
    for one in divided:
        one["Resource"] = random.sample(one["Resource"], len(one["Resource"]))
    random.shuffle(divided)
    assert of_policies(statements, divided) == []
    assert of_policies(divided, statements) == []


def parsed(effect: str, statements: list[dict[str, Any]]) -> list[Statement]:
    return list(statements_of({"Statement": [{**one, "Effect": effect} for one in statements]}, "policy"))


@settings(deadline=None)
@given(st.lists(STATEMENTS, max_size=3), st.lists(STATEMENTS, max_size=3))
def test_what_is_gained_was_missing_and_is_enough(old: list[dict[str, Any]], new: list[dict[str, Any]]) -> None:
    before, after = parsed("Allow", old), parsed("Allow", new)
    more = gains(before, after)
    assert gains([*before, *(gain.statement for gain in more)], after) == []
    assert gains(after, [gain.statement for gain in more]) == []
    assert all(gain.certain for gain in more)


@given(st.text("ab*?", max_size=6), st.text("ab*?", max_size=6), st.text("ab", max_size=8))
def test_a_pattern_that_covers_another_fits_all_that_fits_the_other(wide: str, narrow: str, text: str) -> None:
    from hawser.policy.iam import fits

    if pattern_covers(wide, narrow) and fits(text, narrow):
        assert fits(text, wide)


def test_alarms_name_what_is_dangerous_the_worst_first() -> None:
    wide = {"Effect": "Allow", "Action": "iam:*", "Resource": "*"}
    change = entry("aws_iam_role_policy.p", ["update"], inline(READ), inline(READ, wide))
    (one,) = found(stays("aws_iam_role.node", role()), change)
    assert (one.holder, one.address, one.path) == ("role node", "aws_iam_role_policy.p", "policy.Statement[1]")
    assert one.alarms == ("iam:PassRole", "a whole service", "rights over rights", "every resource")
    assert one.what == "may do iam: every action on every resource"


def test_a_statement_that_moves_between_policies_of_a_role_is_no_change() -> None:
    away = entry("aws_iam_role_policy.old", ["delete"], inline(READ, GUARD), None)
    here = entry("aws_iam_role_policy.new", ["create"], None, inline(GUARD, READ))
    assert found(stays("aws_iam_role.node", role()), away, here) == ()


def test_the_echo_of_a_policy_in_its_role_hides_no_lost_deny() -> None:
    echo = role(inline_policy=[{"name": "p", "policy": policy(READ, GUARD)}])
    change = entry("aws_iam_role_policy.p", ["update"], inline(READ, GUARD), inline(READ))
    (one,) = found(stays("aws_iam_role.node", echo), change)
    assert (one.direction, one.cause) == (MORE, Cause.DENY)


def test_a_policy_that_is_not_known_yet_takes_nothing_away() -> None:
    after = {key: value for key, value in inline().items() if key != "policy"}
    change = entry("aws_iam_role_policy.p", ["update"], inline(READ, GUARD), after, {"policy": True})
    differences = found(stays("aws_iam_role.node", role()), change)
    assert {one.direction for one in differences} == {UNSURE}
    assert {one.cause for one in differences} == {Cause.ALLOW, Cause.DENY, Cause.UNSEEN}


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ({"AWS": "111122223333"}, {"AWS": ["arn:aws:iam::111122223333:root"]}, []),
        ({"AWS": "*"}, "*", []),
        ({"AWS": "111122223333"}, {"AWS": ["111122223333", "444455556666"]}, [MORE]),
        ({"AWS": "111122223333"}, "*", [MORE]),
        ({"AWS": "arn:aws:iam::111122223333:root"}, {"AWS": "arn:aws:iam::111122223333:role/a"}, [LESS]),
        ({"AWS": "arn:aws:iam::111122223333:role/a"}, {"AWS": "arn:aws:iam::111122223333:role/b"}, [MORE, LESS]),
    ],
)
def test_trust(before: Any, after: Any, expected: list[Direction]) -> None:
    sides = [role({**EC2, "Principal": who}) for who in (before, after)]
    differences = found(entry("aws_iam_role.node", ["update"], *sides))
    assert [one.direction for one in differences] == expected
    assert all(one.cause is Cause.TRUST for one in differences)


def test_everybody_but_a_list_is_wider_than_a_list() -> None:
    but = {"Effect": "Allow", "Action": "sts:AssumeRole", "NotPrincipal": {"AWS": "arn:aws:iam::111122223333:role/a"}}
    differences = found(entry("aws_iam_role.node", ["update"], role(EC2), role(EC2, but)))
    assert [(one.direction, one.alarms) for one in differences] == [(MORE, ("everybody but a list",))]


def test_boundaries() -> None:
    cap, other = (f"arn:aws:iam::111122223333:policy/{name}" for name in ("cap", "other"))

    def of(before: str | None, after: str | None) -> list[Direction]:
        sides = [role(permissions_boundary=arn) for arn in (before, after)]
        return [one.direction for one in found(entry("aws_iam_role.node", ["update"], *sides))]

    assert of(cap, None) == [MORE]
    assert of(None, cap) == [LESS]
    assert of(cap, other) == [UNSURE]
    assert of(cap, "arn:aws:iam::aws:policy/AdministratorAccess") == [MORE]
    assert of(cap, cap) == []


def test_attachments_and_access_entries() -> None:
    admin = "arn:aws:iam::aws:policy/AdministratorAccess"
    association = {
        "cluster_name": "hawser",
        "principal_arn": "arn:aws:iam::111122223333:role/dev",
        "policy_arn": "arn:aws:eks::aws:cluster-access-policy/AmazonEKSClusterAdminPolicy",
        "access_scope": [{"type": "cluster", "namespaces": []}],
    }
    narrow = {**association, "access_scope": [{"type": "namespace", "namespaces": ["serving"]}]}
    exclusive = {"role_name": "node", "policy_arns": [admin]}
    differences = found(
        stays("aws_iam_role.node", role()),
        entry("aws_iam_role_policy_attachments_exclusive.x", ["update"], {**exclusive, "policy_arns": []}, exclusive),
        entry("aws_eks_access_policy_association.x", ["update"], narrow, association),
    )
    more = [one for one in differences if one.direction is MORE]
    assert [(one.holder, one.alarms) for one in more] == [
        ("principal arn:aws:iam::111122223333:role/dev", ("administrator",)),
        ("role node", ("administrator",)),
    ]
    assert [one.direction for one in differences if one not in more] == [LESS]
    one_by_one = {"role": "node", "policy_arn": admin}
    away = entry("aws_iam_role_policy_attachments_exclusive.x", ["delete"], exclusive, None)
    here = entry("aws_iam_role_policy_attachment.x", ["create"], None, one_by_one)
    assert found(stays("aws_iam_role.node", role()), away, here) == ()


def test_resource_policies_are_of_their_resource() -> None:
    tls = {
        "Effect": "Deny",
        "Principal": "*",
        "Action": "s3:*",
        "Resource": "arn:aws:s3:::weights/*",
        "Condition": {"Bool": {"aws:SecureTransport": "false"}},
    }
    everybody = {"Effect": "Allow", "Principal": {"AWS": "*"}, "Action": "s3:GetObject", "Resource": "*"}
    bucket = {"id": "weights", "bucket": "weights", "policy": policy(tls)}
    before, after = ({"bucket": "weights", "policy": policy(*each)} for each in ([tls], [everybody]))
    change = entry("aws_s3_bucket_policy.x", ["update"], before, after)
    differences = found(stays("aws_s3_bucket.x", bucket), change)
    assert [(one.direction, one.cause, one.holder) for one in differences] == [
        (MORE, Cause.ALLOW, "aws_s3_bucket weights"),
        (MORE, Cause.DENY, "aws_s3_bucket weights"),
    ]
    assert differences[0].alarms[0] == "everybody"
    gone = entry("aws_s3_bucket_policy.x", ["delete"], before, None)
    assert [one.cause for one in found(stays("aws_s3_bucket.x", bucket), gone) if one.direction is MORE] == [Cause.DENY]
    with_it = found(entry("aws_s3_bucket.x", ["delete"], bucket, None), gone)
    assert [one.direction for one in with_it if one.direction is MORE] == []


def test_what_a_first_plan_makes_is_new_and_what_ends_takes_nothing_from_others() -> None:
    made = found(
        entry("aws_iam_role.node", ["create"], None, role()),
        entry("aws_iam_role_policy.p", ["create"], None, inline(READ, GUARD)),
    )
    assert {(one.direction, one.new) for one in made} == {(MORE, True)}
    ended = found(
        entry("aws_iam_role.node", ["delete"], role(), None),
        entry("aws_iam_role_policy.p", ["delete"], inline(READ, GUARD), None),
    )
    assert {(one.direction, one.new) for one in ended} == {(LESS, True)}


def test_sensitive_policies_are_not_quoted() -> None:
    change = entry(
        "aws_iam_role_policy.p", ["update"], inline(READ), inline({**READ, "Resource": "arn:aws:s3:::canary/*"})
    )
    change["change"]["after_sensitive"] = {"policy": True}
    change["change"]["before_sensitive"] = {"policy": True}
    differences = found(stays("aws_iam_role.node", role()), change)
    assert [(one.direction, one.what) for one in differences] == [(UNSURE, "policy is sensitive")]


def test_rights_given_outside_of_terraform_are_said_under_no_changes() -> None:
    wide = role(inline_policy=[{"name": "x", "policy": policy({"Effect": "Allow", "Action": "*", "Resource": "*"})}])
    drift = {**entry("aws_iam_role.node", ["update"], role(inline_policy=[]), wide)}
    (one,) = found(stays("aws_iam_role.node", wide), resource_drift=[drift], applyable=False)
    assert (one.direction, one.drift, one.alarms[0]) == (MORE, True, "every action")


def test_drift_that_only_shows_our_own_policy_gives_nothing() -> None:
    echo = role(inline_policy=[{"name": "p", "policy": policy(READ)}])
    drift = entry("aws_iam_role.node", ["update"], role(inline_policy=[]), echo)
    assert (
        found(stays("aws_iam_role.node", echo), stays("aws_iam_role_policy.p", inline(READ)), resource_drift=[drift])
        == ()
    )
