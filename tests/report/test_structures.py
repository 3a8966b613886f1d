"""Texts compared by what they say."""

import base64
import json
from typing import Any

import pytest

from hawser.report.structures import ABSENT, Difference, Opaque, Same, compared


def places(before: str, after: str) -> list[tuple[str, Any, Any]]:
    found = compared(before, after)
    assert isinstance(found, tuple)
    return [(one.place, one.before, one.after) for one in found]


def policy(*statements: dict[str, Any], **more: Any) -> str:
    return json.dumps({"Statement": list(statements)}, **more)


READ = {"Sid": "Read", "Effect": "Allow", "Action": "s3:GetObject"}
WRITE = {"Sid": "Write", "Effect": "Allow", "Action": "s3:PutObject"}


def test_statements_are_compared_by_sid() -> None:
    after = policy({"Sid": "New", "Effect": "Deny", "Action": "*"}, READ | {"Action": "s3:*"})
    assert places(policy(READ, WRITE), after) == [
        ("Statement[Read].Action", "s3:GetObject", "s3:*"),
        ("Statement[Write]", WRITE, ABSENT),
        ("Statement[New]", ABSENT, {"Sid": "New", "Effect": "Deny", "Action": "*"}),
    ]


def test_without_identity_equal_lengths_are_compared_by_place_and_others_by_content() -> None:
    plain = [{"Action": "a"}, {"Action": "b"}]
    assert places(policy(*plain), policy({"Action": "a"}, {"Action": "c"})) == [("Statement[1].Action", "b", "c")]
    assert places(policy(*plain), policy({"Action": "b"})) == [("Statement (removed)", {"Action": "a"}, ABSENT)]
    assert places(policy({"Action": "b"}), policy(*plain)) == [("Statement (added)", ABSENT, {"Action": "a"})]


def test_formatting_is_no_difference_but_order_types_and_absence_are() -> None:
    assert compared(policy(READ), policy(READ, indent=2)) == Same()
    assert compared('{"a":1,"b":2}', '{"b": 2, "a": 1}') == Same()
    assert places('{"a":{"b":1}}', '{"a":{"b":true}}') == [("a.b", 1, True)]
    assert places('{"a":null}', "{}") == [("a", None, ABSENT)]
    assert places(policy(READ, WRITE), policy(WRITE, READ)) == [
        ("Statement (order)", ["Read", "Write"], ["Write", "Read"])
    ]


def test_json_inside_json_is_compared_inside() -> None:
    def template(count: int) -> str:
        return json.dumps({"Resources": {"Fn": {"Config": json.dumps({"groups": [{"Name": "a", "Count": count}]})}}})

    assert places(template(2), template(3)) == [("Resources.Fn.Config.groups[a].Count", 2, 3)]


def test_yaml_and_its_short_forms_are_read() -> None:
    values = "image:\n  tag: {}\nenv:\n- name: A\n  value: !Ref X\n"
    assert places(values.format("v1"), values.format("v2")) == [("image.tag", "v1", "v2")]
    assert compared(values.format("v1"), values.format("v1").replace("tag: v1", "tag:   'v1'  # note")) == Same()


def test_parts_of_encoded_user_data_are_compared() -> None:
    def user_data(pods: int) -> str:
        config = f"apiVersion: node.eks.aws/v1alpha1\nkind: NodeConfig\nspec:\n  kubelet:\n    maxPods: {pods}\n"
        text = (
            'MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="//"\n\n'
            f"--//\nContent-Type: application/node.eks.aws\n\n{config}\n"
            "--//\nContent-Type: text/x-shellscript\n\n#!/bin/bash\necho a: b\n--//--\n"
        )
        text += " " * (-len(text) % 3)
        return base64.b64encode(text.encode()).decode()

    assert places(user_data(50), user_data(110)) == [
        ("part 1 (application/node.eks.aws).spec.kubelet.maxPods", 50, 110)
    ]


@pytest.mark.parametrize("broken", ['{"a": ', "[1, 2", "apiVersion: v1\nkind: [\n", "---\na: b: c\n"])
def test_a_broken_structure_is_opaque(broken: str) -> None:
    assert compared('{"a": 1}', broken) == Opaque()
    assert compared(broken, '{"a": 1}') == Opaque()


@pytest.mark.parametrize(
    ("before", "after"), [("a", "b"), ("#!/bin/sh\na: b\n", "#!/bin/sh\na: c\n"), ("", "{}"), (1, 2)]
)
def test_plain_texts_have_no_inside(before: object, after: object) -> None:
    assert compared(before, after) is None


def test_a_place_has_a_name() -> None:
    assert compared('{"a": 1}', '{"a": 2}') == (Difference("a", 1, 2),)
