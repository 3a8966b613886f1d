"""The schema of the machine-readable report. ``docs/report.schema.json`` is this, written out.

Within ``hawser.review/1`` keys are only added. A change that breaks a reader gets a new number.
"""

from __future__ import annotations

import json
import sys
from typing import Any, Final

from hawser.decision.decide import Decision
from hawser.policy.findings import Level, Severity, Verdict
from hawser.policy.privileges import Direction
from hawser.policy.rights import Cause
from hawser.policy.roles import ELSEWHERE
from hawser.terraform.plan import Action

VERSION: Final = "hawser.review/1"


def _object(properties: dict[str, Any], description: str) -> dict[str, Any]:
    return {
        "type": "object",
        "description": description,
        "properties": properties,
        "required": sorted(properties),
        "additionalProperties": False,
    }


def _text(description: str) -> dict[str, Any]:
    return {"type": "string", "description": description}


def _number(description: str) -> dict[str, Any]:
    return {"type": "integer", "minimum": 0, "description": description}


def _flag(description: str) -> dict[str, Any]:
    return {"type": "boolean", "description": description}


def _maybe(schema: dict[str, Any]) -> dict[str, Any]:
    return {**schema, "type": [schema["type"], "null"]}


def _list(items: dict[str, Any], description: str) -> dict[str, Any]:
    return {"type": "array", "items": items, "description": description}


def _one_of(members: list[str], description: str) -> dict[str, Any]:
    return {"type": "string", "enum": members, "description": description}


_ADDRESS: Final = _text("Exact resource address.")
_FINDING: Final = _object(
    {
        "rule_id": _text("Id of the rule: HW-… of hawser, CKV… of checkov."),
        "verdict": _one_of([v.value for v in Verdict], "fail, undecidable (unknown before apply) or error."),
        "level": _one_of([v.value for v in Level], "What a failing rule asks for here."),
        "severity": _one_of([v.value for v in Severity], "How bad it would be."),
        "address": _text("Exact resource address; empty when the plan as a whole is meant."),
        "path": _text("Attribute path in Terraform's notation; empty when the whole resource is meant."),
        "message": _text("What is wrong, with the figures."),
        "fix": _text("What to change."),
        "title": _text("The condition that would pass."),
        "source": _text("hawser or checkov."),
        "before": _maybe(_text("The value before, in short.")),
        "after": _maybe(_text("The value after, in short.")),
        "origin": _text("Contract or environment line that causes it, or why there is none."),
        "contract_lines": _list(
            _text("File and line."),
            "Lines of contract and environment that cause it, the main one first; none: not sure.",
        ),
        "code_line": _text("File and line of the Terraform code that writes it; empty when nobody knows."),
        "changed": _flag("Whether the plan touches the resource; findings on others do not decide."),
        "decides": _flag("Whether this finding has a say in the decision."),
        "noise": _maybe(_text("The emulator's shortcoming that explains the finding.")),
        "waiver": {
            **_object(
                {
                    "owner": _text("Who owns the exception."),
                    "reason": _text("Why it was made."),
                    "days_left": _number("Days until it ends; 0 is its last day."),
                },
                "The reviewed exception that covers the finding.",
            ),
            "type": ["object", "null"],
        },
    },
    "One thing to look at. Listed worst first.",
)
_CHANGE: Final = _object(
    {
        "address": _ADDRESS,
        "module": _text("Address of the module; empty for the root module."),
        "type": _text("Resource type."),
        "action": _one_of([a.value for a in Action], "What happens to it."),
        "create_first": _flag("For replace: whether the new object is made before the old one goes."),
        "reason": _text("Terraform's action_reason; empty when it gives none."),
        "replace_paths": _list(_text("Attribute path."), "Attributes that force the replacement."),
        "changed_paths": _list(_text("Attribute path."), "Attributes whose value differs or becomes unknown."),
        "causes": _list(
            _object(
                {
                    "path": _text("Attribute path."),
                    "contract_lines": _list(_text("File and line."), "The main one first."),
                },
                "A changed attribute and the lines that give its new value.",
            ),
            "Changed attributes of which it is sure where the new value comes from.",
        ),
        "previous_address": _maybe(_text("Where it was before a move.")),
        "importing": _flag("Whether it is imported."),
        "deposed": _maybe(_text("Key of a deposed object, left over from a replacement that failed half way.")),
        "used_by": _list(_ADDRESS, "Of what ends: objects that stay and refer to it, by the plan's configuration."),
    },
    "A managed resource with which something happens. Sorted by address.",
)
_POOL: Final = _object(
    {
        "pool": _text("Name of the pool."),
        "address": _ADDRESS,
        "instance_type": _text("Instance type."),
        **{
            when: _maybe(_number(f"Accelerators {when} the apply; null when unknown.")) for when in ("before", "during")
        },
        "after": _maybe(_number("Accelerators after the apply; null when unknown.")),
        "note": _text("What there is to know."),
    },
    "Accelerators of one pool.",
)

_MOVED: Final = _object(
    {"verb": _text("destroy, replace, forget, update, create, read, or move or import."), "address": _ADDRESS},
    "A change.",
)
_POINT: Final = _object(
    {
        "rule_id": _text("Rule id."),
        "weight": _text("The finding's level, or: does not decide."),
        "address": _text("Exact resource address; empty when the plan as a whole is meant."),
        "path": _text("Attribute path."),
    },
    "A finding.",
)
SINCE: Final = {
    **_object(
        {
            "digest": _text("The bundle that this one is compared with."),
            "made": _text("When that was made, RFC 3339 in UTC."),
            "approved_by": _list(_text("A name."), "Who approved it; empty when nobody did."),
            "same_changes": _flag("Whether both plans would do the same."),
            "same_findings": _flag("Whether the gate says the same of both."),
            "added": _list(_MOVED, "Changes that were not in it."),
            "removed": _list(_MOVED, "Changes that were in it and are no more."),
            "altered": _list(_MOVED, "Changes that are in both, with other values."),
            "findings_added": _list(_POINT, "Findings that were not in it."),
            "findings_removed": _list(_POINT, "Findings that were in it and are no more."),
        },
        "The difference to the last plan that somebody could review and that was not applied; null without one.",
    ),
    "type": ["object", "null"],
}

_SENTENCES: Final = _text("A sentence.")
_ROLE: Final = _object(
    {
        "address": _text("Address of the role, in a template followed by its logical id; empty when it is elsewhere."),
        "name": _text("Name of the role."),
        "action": _one_of([*(a.value for a in Action), ELSEWHERE], "What happens to the role itself."),
        "changed": _flag("Whether the plan touches the role or something that is attached to it."),
        "trusted": _list(_SENTENCES, "Who may take it."),
        "allowed": _list(_SENTENCES, "What it may do, one entry per statement, the widest first."),
        "denied": _list(_SENTENCES, "What it may not do whatever else allows it."),
        "managed": _list(_text("ARN, or the name of a policy of this plan."), "Attached managed policies."),
        "boundary": _text("ARN of the permissions boundary; empty without one."),
        "unseen": _list(_SENTENCES, "What nobody can see before the apply."),
    },
    "An IAM role and what it may do after the apply, as far as the plan shows.",
)

_DIRECTION: Final = _one_of([d.value for d in Direction], "more, less, or unknown: nobody can say before the apply.")
_NEW: Final = _flag("Whether it comes, or goes, with what has it.")
_DRIFT: Final = _flag("Whether it happened outside of Terraform already.")
_PRIVILEGE: Final = _object(
    {
        "direction": _DIRECTION,
        "cause": _one_of([c.value for c in Cause], "What makes the difference."),
        "holder": _text("Who can do more or less: a role, user or principal, or the resource whose policy it is."),
        "address": _text("Address of what says so; empty when that is not one resource."),
        "path": _text("Attribute path."),
        "what": _SENTENCES,
        "alarms": _list(_text("A few words."), "What makes it dangerous, the worst first."),
        "new": _NEW,
        "drift": _DRIFT,
    },
    "Somebody who can do more, or less.",
)
_EXPOSURE: Final = _object(
    {
        "direction": _DIRECTION,
        "address": _ADDRESS,
        "path": _text("Attribute path."),
        "what": _text("Ports, and from where."),
        "internet": _flag("Whether the internet, or every AWS account, gets in (or did)."),
        "new": _NEW,
        "drift": _DRIFT,
    },
    "Something that opens, or closes.",
)

SCHEMA: Final[dict[str, Any]] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "Review of a plan by hawser",
    **_object(
        {
            "schema": {"const": VERSION, "description": "Version of this schema."},
            "environment": _text("Name of the environment; empty for a plan that hawser did not make."),
            "account_id": _text("AWS account."),
            "region": _text("AWS region."),
            "target": _text("eks or hyperpod; empty for bootstrap, which knows no target."),
            "stack": _text("The stack, or the file name of a plan that hawser did not make."),
            "decision": _one_of([d.value for d in Decision], "What may be done with the plan."),
            "exit_code": {
                "type": "integer",
                "enum": sorted({int(d.exit_code) for d in Decision}),
                "description": "Exit code of a run that ends in this decision.",
            },
            "asks": _text("What is asked of the reader, in one line."),
            "digest": _text("Digest of the bundle; empty for a speculative plan."),
            "contract_digest": _text("Digest of contract and environment."),
            "state_serial": _text("Serial of the state that the plan was made from."),
            "good_until": _text("Until when the plan may be applied."),
            "speculative": _flag("Values of an earlier stack are not final: the plan can only be read."),
            "emulated": _flag("Planned against the embedded emulator."),
            "destroy": _flag("The plan takes the whole stack away."),
            "terraform_version": _text("Version of the terraform that made the plan."),
            "counts": {
                "type": "object",
                "description": "Managed resources per action, and how many are imported or moved; zeros are left out.",
                "additionalProperties": _number("How many."),
            },
            "findings": _list(_FINDING, "All findings."),
            "capacity": _list(_POOL, "Accelerators per pool before, during and after the apply."),
            "changes": _list(_CHANGE, "What happens."),
            "outputs": _list(
                _object(
                    {
                        "name": _text("Name of the output."),
                        "action": _one_of([a.value for a in Action], "What happens to it."),
                    },
                    "An output that changes.",
                ),
                "Outputs that change.",
            ),
            "privileges": _list(_PRIVILEGE, "Who can do more and who less, by statement, the worst first."),
            "exposure": _list(_EXPOSURE, "What becomes reachable from where and what no longer is, the worst first."),
            "roles": _list(_ROLE, "IAM roles of the plan, also unchanged ones and those inside templates."),
            "drift": _list(_ADDRESS, "Objects that were changed outside of Terraform."),
            "failed_checks": _list(
                _object({"check": _text("Address of the check."), "message": _text("Its words.")}, "A failing check."),
                "Check blocks and conditions of the configuration that fail.",
            ),
            "overrides": _list(
                _object(
                    {
                        "field": _text("Dotted path of the contract field."),
                        "contract": {"description": "Value in the contract."},
                        "here": {"description": "Value in this environment."},
                    },
                    "A contract field that the environment overrides.",
                ),
                "Overrides of the contract.",
            ),
            "passed": {
                "type": "object",
                "description": "Per rule, how many resources it found in order.",
                "additionalProperties": _number("How many."),
            },
            "idle": _list(_text("Rule id."), "Rules that had nothing to look at."),
            "since": SINCE,
            "broken_glass": {
                **_object(
                    {
                        "by": _text("Who broke it; their own approval does not count."),
                        "reason": _text("What cannot wait."),
                        "rules": _list(_text("Rule id."), "Rules whose failures may be approved."),
                        "until": _text("When it ends, RFC 3339 in UTC."),
                    },
                    "The emergency that lets something through; null without one.",
                ),
                "type": ["object", "null"],
            },
            "lowered": _list(
                _text("Rule, its own level, the level here, and the line that says so."),
                "Rules that the environment takes less seriously than they are.",
            ),
            "notes": _list(_text("A sentence."), "What a reader should know about the plan file."),
            "checked": _list(_text("A sentence."), "What was checked, or why not."),
            "next_commands": _list(_text("A command."), "What to type next."),
        },
        "What the gate says about one plan. Secrets are replaced by `(sensitive)`.",
    ),
}


def schema_text() -> str:
    """The schema as the text of ``docs/report.schema.json``."""
    return json.dumps(SCHEMA, indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    sys.stdout.write(schema_text())
