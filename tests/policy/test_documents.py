"""Documents inside strings: what is read, what is unknown, what is refused."""

import base64
import gzip
import json
from typing import Any

import pytest

from hawser.policy.documents import json_of, resolve, template_of, user_data_of
from hawser.policy.unknown import OpaqueError
from hawser.terraform.values import UNKNOWN, UndecidableError, Value


def value(raw: Any, unknown: Any = None, placeholders: frozenset[str] = frozenset()) -> Value:
    return Value(raw, unknown, None, "body", placeholders)


def test_json_is_read_and_placeholders_in_it_are_unknown() -> None:
    text = json.dumps({"a": ["vpc-1", "x"], "b": "arn:vpc-1/x"})
    assert json_of(value(text)) == {"a": ["vpc-1", "x"], "b": "arn:vpc-1/x"}
    assert json_of(value(text, placeholders=frozenset({"vpc-1"}))) == {"a": [UNKNOWN, "x"], "b": UNKNOWN}


@pytest.mark.parametrize("text", ["{", '{"a": 1, "a": 2}', "[" * 100_000, "nothing", '{"a": NaN'])
def test_what_cannot_be_read_is_opaque(text: str) -> None:
    with pytest.raises(OpaqueError):
        json_of(value(text))


def test_unknown_is_undecidable_and_null_is_nothing() -> None:
    with pytest.raises(UndecidableError):
        json_of(value(None, True))
    assert json_of(value(None)) is None
    assert json_of(value("  ")) is None


def test_short_forms_of_yaml_templates() -> None:
    body = "A: !Ref X\nB: !GetAtt X.Arn\nC: !Sub '${X}-1'\nD: !If [c, !Ref X, 2010-09-09]\n"
    assert template_of(value(body)) == {
        "A": {"Ref": "X"},
        "B": {"Fn::GetAtt": ["X", "Arn"]},
        "C": {"Fn::Sub": "${X}-1"},
        "D": {"Fn::If": ["c", {"Ref": "X"}, "2010-09-09"]},
    }


@pytest.mark.parametrize(
    "body", ["a: &x [1]\nb: *x\n", "a: 1\na: 2\n", "a: [", "!!python/object/apply:os.system ['true']"]
)
def test_templates_that_cloudformation_would_refuse_are_opaque(body: str) -> None:
    with pytest.raises(OpaqueError):
        template_of(value(body))


def test_references_to_parameters_are_resolved() -> None:
    template = {
        "Parameters": {
            "A": {"Default": "a"},
            "L": {"Type": "CommaDelimitedList"},
            "S": {"Type": "AWS::SSM::Parameter::Value<String>"},
        },
        "Resources": {
            "R": {
                "default": {"Ref": "A"},
                "list": {"Ref": "L"},
                "ssm": {"Ref": "S"},
                "sub": {"Fn::Sub": "${A}-${AWS::Region}-${!A}"},
                "whole": {"Fn::Sub": "x-${A}"},
                "join": {"Fn::Join": ["-", [{"Ref": "A"}, "b"]]},
                "other": {"Ref": "Bucket"},
            }
        },
    }
    assert resolve(template, {"L": "x, y"})["R"] == {
        "default": "a",
        "list": ["x", "y"],
        "ssm": UNKNOWN,
        "sub": {"Fn::Sub": "a-${AWS::Region}-${!A}"},
        "whole": "x-a",
        "join": "a-b",
        "other": {"Ref": "Bucket"},
    }
    assert resolve(template, UNKNOWN)["R"]["whole"] is UNKNOWN
    assert resolve(template, {"A": "****"})["R"]["default"] is UNKNOWN


def test_user_data_is_decoded() -> None:
    script = "#!/bin/bash\necho ready\n"
    assert user_data_of(value(base64.b64encode(script.encode()).decode()), encoded=True) == script
    assert user_data_of(value(script), encoded=False) == script
    mime = (
        'Content-Type: multipart/mixed; boundary="X"\n\n--X\nContent-Transfer-Encoding: base64\n\n'
        + base64.b64encode(b"pip install x").decode()
        + "\n--X--\n"
    )
    assert "pip install x" in user_data_of(value(base64.b64encode(mime.encode()).decode()), encoded=True)


def test_compressed_user_data_is_opaque() -> None:
    data = base64.b64encode(gzip.compress(b"#!/bin/bash", mtime=0)).decode()
    with pytest.raises(OpaqueError, match="body"):
        user_data_of(value(data), encoded=True)
