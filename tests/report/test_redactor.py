"""What counts as a secret, and what must not."""

from __future__ import annotations

import base64
import gzip
import json
from dataclasses import replace
from typing import Any, get_args

import pytest
from report_samples import CANARY, finding, sample_plan, sample_review

from hawser.errors import CannotJudgeError
from hawser.policy.findings import Level
from hawser.report import Form, render
from hawser.report.redact import Redactor
from hawser.terraform.plan import read_plan
from hawser.terraform.secrets import MASK, is_secret_name, mask, shapes_in


def plan_of(after: dict[str, Any], sensitive: Any = None, **more: Any) -> dict[str, Any]:
    change = {"actions": ["create"], "before": None, "after": after, "after_sensitive": sensitive or {}}
    return {"resource_changes": [{"address": "a.b", "change": change}], **more}


def copied(after: dict[str, Any], sensitive: Any = None) -> Any:
    document = plan_of(after, sensitive)
    return Redactor.of(document).document(document)["resource_changes"][0]["change"]["after"]


SECRETS = {
    "AWS access key": "AKIA" + "Q3EGRZ7KXW5LTB2N",
    "private key": "-----BEGIN RSA PRIVATE " + "KEY-----\nMIIEowIBAAKCAQEA\n-----END RSA PRIVATE " + "KEY-----",
    "Hugging Face token": "hf_" + "kQwErTyUiOpAsDfGhJkLzXcVbNmQwErTyU",
    "GitHub token": "ghp_" + "aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY1zA2",
    "GitLab token": "glpat-" + "aB3dE5fG7hJ9kL1mN2pQ",
    "Slack token": "xoxb-" + "123456789012-abcdefghij",
    "JSON web token": "eyJhbGciOiJIUzI1NiJ9." + "eyJzdWIiOiIxMjM0In0." + "c2lnbmF0dXJlLW9mLWl0",
    "model provider key": "sk-" + "proj-aB3dE5fG7hJ9kL1mN2pQ4rS6",
    "package registry token": "npm_" + "aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY1zA2",
}


@pytest.mark.parametrize("name", sorted(SECRETS))
def test_a_known_shape_is_found_and_masked(name: str) -> None:
    text = f"before {SECRETS[name]} after"
    assert name in {shape.name for shape, _, _ in shapes_in(text)}
    assert mask(text) == f"before {MASK} after"


def test_only_the_password_of_a_url_is_masked() -> None:
    assert mask("postgres://app:hunter22@db:5432/x") == f"postgres://app:{MASK}@db:5432/x"


def test_only_the_value_of_an_assignment_is_masked() -> None:
    assert mask('export HF_TOKEN="abcdef123456"; run') == f'export HF_TOKEN="{MASK}"; run'


@pytest.mark.parametrize(
    "text",
    [
        "vllm serve --api-key abc123def --port 8000",
        "x --password hunter2abc",
        "x --token=opensesame",
        '["--token", "opensesame"]',
        r"[\"--token\", \"opensesame\"]",
        "mysql -u root -popensesame db",
        "sshpass -p 'opensesame' ssh host",
        "curl -u bob:opensesame https://x",
        "curl -H 'Authorization: Bearer opensesame' https://x",
        "Authorization: Basic Ym9iOmh1bnRlcjI=",
        "https://opensesame1234567890@github.com/x",
        "postgres://app:open@sesame@db/x",
        "Server=db;User Id=a;Password=opensesame;Database=x",
        "aws_secret_access_key = wJalrXUtnFEMIxK7MDENGxbPxRfiCYq",
        "password: hunter2abc",
        "https://b.s3.amazonaws.com/k?X-Amz-Signature=abcdef0123456&x=1",
    ],
)
def test_secrets_in_commands_headers_and_connection_strings_are_masked_whole(text: str) -> None:
    masked = mask(text)
    assert masked.count(MASK) == 1
    for secret in ("opensesame", "sesame", "hunter2", "abc123", "Ym9i", "wJalr", "abcdef0123456", "1234567890"):
        assert secret not in masked
    assert mask(masked) == masked


@pytest.mark.parametrize(
    "text",
    [
        "--token must be set",
        "--password, which is asked for",
        "vllm serve --max-tokens 4096 --port 8000",
        "aws eks get-token --token-file /var/run/token1",
        "kubectl get secret: k3-hf-token1",
        "http_tokens=required",
        "creation_token=hawser-lustre-1",
        "password = var.db_password1",
        "docker build --secret id=x,src=y",
        "Bearer of the news",
        "token: the one that is used",
        "HF_TOKEN=$(aws secretsmanager get-secret-value)",
        "export API_KEY=${API_KEY}",
        "DB_SECRET=arn:aws:secretsmanager:us-west-2:111122223333:secret:db",
        "9f62e4e9fffbd0a83ddd60e1c209d828994b3569",
        "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
        "arn:aws:iam::111122223333:role/hawser-node",
        "https://example.com:8000/v1/models",
        "s3://hawser-weights/kimi-k3",
        "task-scheduler-of-the-platform",
    ],
)
def test_what_only_looks_like_a_secret_stays(text: str) -> None:
    assert mask(text) == text


def test_overlapping_shapes_are_hidden_together() -> None:
    assert mask("HF_TOKEN=" + SECRETS["Hugging Face token"] + "-and-more!") == f"HF_TOKEN={MASK}"


@pytest.mark.parametrize("name", ["password", "dbPassword", "HF_TOKEN", "client-secret", "privateKeyPem", "api_key"])
def test_secret_names(name: str) -> None:
    assert is_secret_name(name)


@pytest.mark.parametrize(
    "name", ["http_tokens", "key_name", "kms_key_id", "secret_arn", "creation_token", "public_key", "max_model_len"]
)
def test_names_that_hold_no_secret(name: str) -> None:
    assert not is_secret_name(name)


def test_a_marked_number_is_hidden_and_others_stay() -> None:
    assert copied({"pin": 834627, "port": 8000, "on": True}, {"pin": True}) == {"pin": 0, "port": 8000, "on": True}


def test_a_short_secret_is_hidden_in_its_place_only() -> None:
    document = plan_of({"x": "c", "y": "accept"}, {"x": True})
    redactor = Redactor.of(document)
    assert redactor.document(document)["resource_changes"][0]["change"]["after"] == {"x": MASK, "y": "accept"}
    assert redactor.text("c is accepted") == "c is accepted"


def test_a_secret_of_a_few_letters_is_hidden_as_a_whole_word_only() -> None:
    redactor = Redactor(["blue"])
    assert redactor.text("blue, bluebird and dark-blue") == f"{MASK}, bluebird and dark-{MASK}"


def test_a_longer_secret_is_hidden_inside_words_too() -> None:
    assert Redactor(["hunter2hunter2"]).text("xhunter2hunter2y") == f"x{MASK}y"


def test_words_that_a_report_needs_stay() -> None:
    assert Redactor(["true", "deny", "advisory"]).text("deny is true, not advisory") == "deny is true, not advisory"


def test_unequal_marks_hide_the_whole() -> None:
    assert copied({"list": ["one-secret", "two"]}, {"list": [True]}) == {"list": [MASK, MASK]}


def test_settings_and_references_in_secret_fields_stay() -> None:
    after = {"http_tokens": "required", "secret": "arn:aws:secretsmanager:r:1:secret:x", "password": "{{resolve:x}}"}
    assert copied(after) == after


def test_unmarked_fields_are_hidden_by_name() -> None:
    after = {
        "password": "abc",
        "env": [{"name": "HF_TOKEN", "value": "short"}, {"name": "PORT", "value": "8000"}],
        "tokens": ["a-token", "b-token"],
    }
    assert copied(after) == {
        "password": MASK,
        "env": [{"name": "HF_TOKEN", "value": MASK}, {"name": "PORT", "value": "8000"}],
        "tokens": [MASK, MASK],
    }


def test_json_texts_are_searched_and_stay_json() -> None:
    text = json.dumps({"containers": [{"env": [{"name": "DB_PASSWORD", "value": "abc"}], "image": "vllm"}]})
    parsed = json.loads(copied({"container_definitions": text})["container_definitions"])
    assert parsed == {"containers": [{"env": [{"name": "DB_PASSWORD", "value": MASK}], "image": "vllm"}]}


def test_a_policy_without_secrets_is_copied_byte_by_byte() -> None:
    policy = '{"Version":"2012-10-17", "Statement":[{"Effect":"Allow","Action":"s3:*","Resource":"*"}]}'
    assert copied({"policy": policy}) == {"policy": policy}


def test_encoded_user_data_with_a_secret_is_hidden_whole() -> None:
    script = base64.b64encode(b"#!/bin/bash\nexport HF_TOKEN=abcdef123456\n").decode()
    harmless = base64.b64encode(b"#!/bin/bash\nsystemctl start kubelet\n").decode()
    assert copied({"user_data": script, "other": harmless}) == {"user_data": MASK, "other": harmless}


def test_scanners_still_see_an_access_key() -> None:
    key = SECRETS["AWS access key"]
    assert copied({"user_data": f"x {key}"}) == {"user_data": "x AKIAIOSFODNN7EXAMPLE"}
    assert copied({"access_key": key}) == {"access_key": "AKIAIOSFODNN7EXAMPLE"}


def test_paths_end_where_a_sensitive_value_begins() -> None:
    plan = sample_plan("mixed")
    assert plan.changes
    document = plan_of({"data": {"alice": "x"}, "open": {"b": "y"}}, {"data": True})
    change = replace(plan.changes[0], after=plan_value(document))
    redactor = Redactor.of(document)
    assert redactor.path("data.alice", change.before, change.after) == "data"
    assert redactor.path("open.b", change.before, change.after) == "open.b"


def plan_value(document: dict[str, Any]) -> Any:
    from hawser.terraform.values import Value

    change = document["resource_changes"][0]["change"]
    return Value(change["after"], None, change["after_sensitive"])


def test_last_scan_finds_what_was_forgotten() -> None:
    redactor = Redactor(['se"cret<one>'])
    assert redactor.last_scan('x se"cret<one> y') == f"x {MASK} y"
    assert redactor.last_scan("x se&quot;cret&lt;one&gt; y") == f"x {MASK} y"


def test_a_sensitive_module_argument_is_hidden() -> None:
    call = {
        "expressions": {"token": {"constant_value": CANARY}, "name": {"constant_value": "a"}},
        "module": {"variables": {"token": {"sensitive": True, "default": "other-canary"}, "name": {}}},
    }
    document = {"configuration": {"root_module": {"module_calls": {"m": call}}}}
    copy = json.dumps(Redactor.of(document).document(document))
    assert CANARY not in copy
    assert "other-canary" not in copy
    assert '{"constant_value": "a"}' in copy


def test_a_plan_nested_too_deeply_is_not_judged() -> None:
    node: Any = "x"
    for _ in range(100_000):
        node = [node]
    with pytest.raises(CannotJudgeError, match="nested too deeply"):
        Redactor.of(plan_of({"x": node}))


def test_a_real_plan_is_copied_without_its_secrets() -> None:
    document = sample_plan("mixed").document
    copy = json.dumps(Redactor.of(document).document(document))
    assert CANARY in json.dumps(document)
    assert CANARY not in copy
    assert "mock-secret-key" not in copy
    assert "p6-b300.48xlarge" in copy


@pytest.mark.parametrize("before", ["", "a", "ab", "abc"])
def test_a_known_secret_is_found_inside_base64(before: str) -> None:
    redactor = Redactor(["canary-7f3a-secret-91bc"])
    encoded = base64.b64encode(f"{before}canary-7f3a-secret-91bc and more".encode()).decode()
    shown = redactor.text(f"data {encoded}")
    assert MASK in shown
    for at in range(4):  # what is left of it decodes to nothing of the secret
        rest = shown.replace(MASK, "").split()[-1][at:]
        assert b"7f3a-secret" not in base64.b64decode(rest[: len(rest) // 4 * 4])


@pytest.mark.parametrize("spelling", ["a%20b%2Fc%26de", "a+b%2Fc%26de", "a b/c&amp;de", "a b/c\\u0026de"])
def test_a_known_secret_is_found_in_every_spelling(spelling: str) -> None:
    assert Redactor(["a b/c&de"]).text(f"x={spelling}.") == f"x={MASK}."


def test_a_secret_of_json_in_json_is_hidden() -> None:
    redactor = Redactor(['se"cret-one'])
    text = json.dumps({"a": json.dumps({"b": 'se"cret-one'})})
    assert redactor.text(text) == json.dumps({"a": json.dumps({"b": MASK})})


def test_no_beginning_of_a_secret_stays_where_a_text_was_cut() -> None:
    redactor = Redactor(["canary-7f3a-secret-91bc"])
    assert redactor.text("it is canary-7f3a-se… (10 more)") == f"it is {MASK}… (10 more)"
    assert redactor.text("it is candid… (10 more)") == "it is candid… (10 more)"


def test_a_secret_in_a_packed_mime_part_is_hidden() -> None:
    packed = base64.encodebytes(
        gzip.compress(b"#!/bin/bash\nexport HF_TOKEN=abcdef123456\n" + bytes(range(48, 120)) * 2)
    )
    harmless = base64.encodebytes(b"#!/bin/bash\nsystemctl start kubelet # and a comment that makes it long\n")
    mime = f"MIME-Version: 1.0\n\n--//\n\n{packed.decode()}\n--//\n\n{harmless.decode()}--//--"
    shown = copied({"user_data": mime})["user_data"]
    for line in packed.decode().split():
        assert line not in shown
    assert harmless.decode() in shown


@pytest.mark.parametrize("form", get_args(Form))
def test_no_form_shows_a_key_of_a_sensitive_map(form: Form) -> None:
    change = {
        "actions": ["update"],
        "before": {"tags": {"plain": "a"}},
        "after": {"tags": {"alice-key": "b"}},
        "after_unknown": {},
        "before_sensitive": {},
        "after_sensitive": {"tags": True},
    }
    entry = {"address": "a.b", "mode": "managed", "type": "a", "name": "b", "change": change}
    document = {
        "format_version": "1.2",
        "planned_values": {},
        "complete": True,
        "errored": False,
        "applyable": True,
        "resource_changes": [entry],
    }
    plan = read_plan(json.dumps(document).encode(), "plan.json")
    path = 'tags["alice-key"]'
    said = finding("HW-SEC-001", Level.BLOCK, "a.b", f"{path} is in clear.", path=path, fix=f"Take {path} away.")
    shown = render(sample_review(plan, (said,)), form, width=80, colour=False)
    assert "alice-key" not in shown
    assert "tags is in clear" in shown


@pytest.mark.parametrize("form", get_args(Form))
def test_the_value_of_a_secret_variable_inside_a_text_is_hidden(form: Form) -> None:
    def values(secret: str) -> str:
        return f"image: vllm\nenv:\n- name: DB_PASSWORD\n  value: {secret}\n- name: PORT\n  value: 8000\n"

    change = {
        "actions": ["update"],
        "before": {"values": values("qxz1v")},
        "after": {"values": values("wkj2b")},
        "after_unknown": {},
    }
    entry = {"address": "a.b", "mode": "managed", "type": "a", "name": "b", "change": change}
    document = {
        "format_version": "1.2",
        "planned_values": {},
        "complete": True,
        "errored": False,
        "applyable": True,
        "resource_changes": [entry],
    }
    shown = render(
        sample_review(read_plan(json.dumps(document).encode(), "plan.json"), ()), form, width=160, colour=False
    )
    assert "qxz1v" not in shown
    assert "wkj2b" not in shown
    if form == "terminal":
        assert "values: env[DB_PASSWORD].value" in shown
