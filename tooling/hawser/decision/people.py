"""Who a caller of AWS is: the person behind an ARN that STS gave, or nobody."""

from __future__ import annotations

import re
from typing import Final

#: Session names that nobody chose: they name no person, and differ from one session of the same person to the next.
#: botocore-session- and a time is botocore's own (credentials.py, read 2026-12-01); those of other SDKs, of EC2 (the
#: instance's id) and of GitHub's action for AWS credentials are from general knowledge (unverified).
_MADE_UP: Final = re.compile(
    r"(botocore-session-\d+|aws-(go-sdk|sdk-[a-z0-9-]+)-\d+|\d+|i-[0-9a-f]{8,17}|GitHubActions)", re.IGNORECASE
)
_SESSION: Final = re.compile(r"arn:[a-z-]+:sts::\d{12}:assumed-role/[^/]+/(?P<name>[^/]+)")
_USER: Final = re.compile(r"arn:[a-z-]+:iam::\d{12}:user/(?:.+/)?(?P<name>[^/]+)")


def person(arn: str) -> str:
    """The person behind an ARN of STS, in lower case: the name of the session, or of the user. ``""`` for nobody.

    The same name in two roles is one person. Root, an instance, CI and a session whose name was made up are nobody.
    """
    found = _SESSION.fullmatch(arn) or _USER.fullmatch(arn)
    return _chosen(found["name"]) if found else ""


def session_person(arn: str, user_id: str) -> str:
    """The person who took a role: as ``person``, but ``""`` too for a user, and where the unique id is another's.

    STS ends the unique id of a session (``AROA…:name``) with its name, and IAM knows who may write under that id.
    """
    found = _SESSION.fullmatch(arn)
    return _chosen(found["name"]) if found and user_id.partition(":")[2] == found["name"] else ""


def _chosen(name: str) -> str:
    return "" if _MADE_UP.fullmatch(name) else name.casefold()
