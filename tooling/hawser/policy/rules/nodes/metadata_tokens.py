"""HW-NOD-002: the instance metadata service answers without a token."""

from __future__ import annotations

from collections.abc import Iterator

from hawser.policy.findings import Level, Severity
from hawser.policy.registry import Context, Hit, RuleMeta, change_rule
from hawser.policy.shown import shown
from hawser.terraform.plan import Change
from hawser.terraform.values import UndecidableError


@change_rule(
    RuleMeta(
        id="HW-NOD-002",
        title="Launch templates and instances require tokens for instance metadata (IMDSv2).",
        area="nodes",
        severity=Severity.HIGH,
        level=Level.APPROVAL,
        resource_types=("aws_launch_template", "aws_instance"),
        looks_at="planned state",
        why="Without tokens a request that a pod can be talked into sending reads the credentials of the node's role.",
        fix="Use hawser's node group module, which requires them; in other code set metadata_options.http_tokens to"
        " required.",
    )
)
def metadata_tokens(change: Change, context: Context) -> Iterator[Hit]:
    """``http_tokens`` must be ``required``, or the service off; not given means the account's or image's default."""
    options = change.after.at("metadata_options", 0)
    if options.get("http_endpoint").raw() == "disabled":
        return
    hops, had = options.get("http_put_response_hop_limit"), change.before.at("metadata_options", 0)
    if isinstance(hops.raw(), int) and hops.raw() > 1 and had.get("http_put_response_hop_limit").raw() == 1:
        message = f"{hops.path} goes from 1 to {hops.raw()}: pods reach the credentials of the node."
        yield Hit(path=hops.path, message=message, before="1", after=str(hops.raw()))
    tokens = options.get("http_tokens")
    if tokens.is_unknown and context.configuration.expression(change, "metadata_options", 0, "http_tokens"):
        raise UndecidableError(tokens.path)
    if tokens.is_unknown or tokens.raw() != "required":
        given = "not given" if tokens.is_unknown or tokens.is_null else shown(tokens)
        yield Hit(path="metadata_options[0].http_tokens", message=f"http_tokens is {given}, not required.", after=given)
