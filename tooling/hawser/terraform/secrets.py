"""What a secret looks like when nobody marked it: by the name of its field, or by its shape.

The redactor hides what is found here, and policy rules report it. Shapes are those that the issuers document, as of
2026-11-30; a shape that also fits ordinary identifiers (40 hexadecimal digits, for example) is left out on purpose.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final


@dataclass(frozen=True, slots=True)
class Shape:
    """A kind of secret that its text gives away.

    ``pattern`` finds it; a named group narrows what is secret in the match. ``hints`` are literals in small
    letters of which one must be in the text, in whatever letters, for the pattern to match at all (they make the search
    fast). ``stand_in`` is a public
    example of the same shape for scanners that look for it.
    """

    name: str
    pattern: re.Pattern[str]
    hints: tuple[str, ...]
    stand_in: str | None = None


#: What stands where a secret stood: Terraform's own words for it.
MASK: Final = "(sensitive)"

_ASSIGNED = ("PASSWORD", "PASSWD", "TOKEN", "SECRET", "SECRET_KEY", "SECRET_ACCESS_KEY", "API_KEY", "PRIVATE_KEY")

#: The same names as they stand in commands, settings and connection strings. ``secret`` alone is left out: beside a
#: colon it is mostly the name of a Kubernetes secret.
_OPTION = (
    r"password|passwd|pwd|passphrase|token|api[-_]?key|access[-_]?key|secret[-_]?(?:access[-_]?)?key|private[-_]?key"
    r"|account[-_]?key|client[-_]?secret|connection[-_]?string|security[-_]token|x-amz-signature"
)
#: No secret: a reference to one, a template expression, a setting.
_ELSEWHERE = (
    r"(?!arn:|\(sensitive\)|(?:var|local|data|module|each|self|file|env)[.:]|(?:true|false|null|none|required|optional"
    r"|enabled|disabled)\b)"
)
#: One of them is in every text that ``_OPTION`` fits.
_OPTION_HINTS = (
    *("password", "passwd", "pwd", "passphrase", "token", "x-amz-signature"),
    *(
        f"{first}{joint}{last}"
        for first, last in (
            *(("api", "key"), ("access", "key"), ("secret", "key"), ("private", "key"), ("account", "key")),
            *(("client", "secret"), ("connection", "string")),
        )
        for joint in ("", "-", "_")
    ),
)
_PLAIN = r"[^\s\"'`$<>{}()\[\],;\\/&|]"

SHAPES: Final[tuple[Shape, ...]] = (
    Shape(
        "AWS access key",
        re.compile(r"(?<![A-Za-z0-9])(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])"),
        ("akia", "asia"),
        "AKIAIOSFODNN7EXAMPLE",  # the key of AWS's own documentation
    ),
    Shape(
        "private key",
        re.compile(
            r"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?"
            r"(?:-----END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----|\Z)"
        ),
        ("private key",),
    ),
    Shape("Hugging Face token", re.compile(r"(?<![A-Za-z0-9_])hf_[A-Za-z0-9]{30,}"), ("hf_",)),
    Shape(
        "GitHub token",
        re.compile(r"(?<![A-Za-z0-9_])(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{50,})"),
        ("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"),
    ),
    Shape("GitLab token", re.compile(r"(?<![A-Za-z0-9_])glpat-[A-Za-z0-9_-]{20,}"), ("glpat-",)),
    Shape("Slack token", re.compile(r"(?<![A-Za-z0-9])xox[abeoprs]-[A-Za-z0-9-]{10,}"), ("xox",)),
    Shape(
        "JSON web token",
        re.compile(r"(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{6,}\.[A-Za-z0-9_-]{8,}"),
        ("eyj",),
    ),
    Shape(
        "model provider key",
        re.compile(r"(?<![A-Za-z0-9])(?:sk-[A-Za-z0-9_-]{20,}|nvapi-[A-Za-z0-9_-]{40,}|AIza[A-Za-z0-9_-]{35})"),
        ("sk-", "nvapi-", "aiza"),
    ),
    Shape(
        "package registry token",
        re.compile(r"(?<![A-Za-z0-9])(?:npm_[A-Za-z0-9]{36}|pypi-[A-Za-z0-9_-]{50,})"),
        ("npm_", "pypi-"),
    ),
    Shape(
        "password in a URL",
        re.compile(r"(?<![a-z0-9])[a-z][a-z0-9+.-]{0,30}://[^\s/:@\"'$<>]*:(?P<secret>[^\s/\"'$<>]+)@"),
        ("://",),
    ),
    Shape(
        "secret in an assignment",
        re.compile(
            rf"(?<![A-Za-z0-9])(?:[A-Z0-9]+_)*(?:{'|'.join(_ASSIGNED)})[\"']?\s*[=:]\s*[\"']?"
            r"(?!arn:|true\b|false\b|null\b|none\b)(?P<secret>[^\s\"'`$<>{}()\[\],;\\/]{8,})"
        ),
        ("password", "passwd", "token", "secret", "api_key", "private_key"),
    ),
    Shape(
        "secret in a command line",
        # After a blank an ordinary word is prose ("--token must be set"); in an argument list it is a value.
        re.compile(
            rf"(?<![A-Za-z0-9-])--?(?:[a-z0-9]{{1,20}}[-_]){{0,4}}(?:{_OPTION}|secret|pass)"
            rf"(?:[= ][\"']?(?={_PLAIN}*[^a-z\s]|{_PLAIN}{{10}})|=[\"']?|\\?[\"']\s*,\s*\\?[\"']|\s+\\?[\"'])"
            rf"{_ELSEWHERE}(?!-|id=)(?P<secret>{_PLAIN}[^\s\"'`$<>(),;\\&|]{{3,}})",
        ),
        ("secret", "pass", *_OPTION_HINTS),
    ),
    Shape(
        "password of a command",
        re.compile(
            r"(?<![A-Za-z0-9])(?:(?:mysql|mysqldump|mysqladmin|mariadb)\b[^\n;|&]{0,200}?\s-p ?"
            r"|(?:sshpass|docker login|podman login|helm registry login)\b[^\n;|&]{0,200}?\s-p ?"
            r"|redis-cli\b[^\n;|&]{0,200}?\s-a |curl\b[^\n;|&]{0,200}?\s(?:-u|--user)[ =]?[\"']?[^\s:\"'$]{1,64}:)"
            r"[\"']?(?!-)(?P<secret>[^\s\"'`$<>()\\;|&]{3,})"
        ),
        ("mysql", "mariadb", "sshpass", "docker login", "podman login", "helm registry login", "redis-cli", "curl"),
    ),
    Shape(
        "secret in a setting",
        re.compile(
            rf"(?<![A-Za-z0-9])(?:[a-z0-9]{{1,20}}[-_.]){{0,4}}(?<!creation_)(?<!client_)(?<!next_)(?:{_OPTION})"
            rf"[\"']?(?:\s*=\s*|%3D|\s*:\s*(?=[\"']?{_PLAIN}*[0-9]))\\?[\"']?"
            rf"{_ELSEWHERE}(?P<secret>{_PLAIN}[^\s\"'`$<>{{}}(),;\\&|]{{3,}})",
            re.IGNORECASE,
        ),
        _OPTION_HINTS,
    ),
    Shape(
        "authorization header",
        re.compile(
            r"(?:authorization[\"']?\s*[:=]\s*\\?[\"']?(?:bearer|basic|token)\s+(?P<secret>[A-Za-z0-9._~+/=-]{4,})"
            r"|\bbearer\s+(?P<other>(?=[A-Za-z_-]*[0-9])[A-Za-z0-9._~+/=-]{16,}))",
            re.IGNORECASE,
        ),
        ("authorization", "bearer"),
    ),
    Shape(
        "token in a URL",
        re.compile(r"(?<![a-z0-9])[a-z][a-z0-9+.-]{0,30}://(?P<secret>[A-Za-z0-9_-]{16,})@"),
        ("://",),
    ),
    Shape(
        "Slack webhook",
        re.compile(r"hooks\.slack\.com/services/(?P<secret>T[A-Z0-9]+/B[A-Z0-9]+/[A-Za-z0-9]{16,})"),
        ("hooks.slack.com",),
    ),
)

#: The shortest text that any shape fits: shorter strings are not searched.
SHORTEST_SHAPE: Final = 12

_EVERY_HINT = frozenset(hint for shape in SHAPES for hint in shape.hints)
#: The same without those that hold another: nearly every text has none of these, and so no secret by its shape.
_HINTS: Final = tuple(
    sorted(hint for hint in _EVERY_HINT if not any(one in hint for one in _EVERY_HINT if one != hint))
)

_SECRET_NAME = re.compile(
    r"(?:^|_)(?:password|passwd|passphrase|secret|secrets|secret_string|secret_binary|secret_key|secret_access_key"
    r"|secret_value|private_key|private_key_pem|api_key|apikey|access_key|signing_key|token|tokens|auth_token"
    r"|connection_string|credential|credentials)$"
)
#: Names that end like a secret and hold none: tokens against doing a thing twice, the switch of the metadata service.
_NO_SECRET = re.compile(
    r"(?:^|_)(?:creation_token|client_token|client_request_token|idempotency_token|next_token|http_tokens)$"
)
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")

#: Values of a secret's field that only say where the secret is: an ARN, a template expression, a CloudFormation
#: dynamic reference, an SSM path.
_REFERENCE = re.compile(r"arn:|\$\{|\$\(|\{\{|/[A-Za-z0-9_.-]+/")
#: Values of such a field that are settings.
_SETTING = frozenset({"true", "false", "null", "none", "required", "optional", "enabled", "disabled", "enable"})


@lru_cache(maxsize=16_384)
def is_secret_name(name: str) -> bool:
    """Whether a field of this name (snake, kebab or camel case) holds a secret by all that its name says."""
    snake = _CAMEL.sub("_", name).replace("-", "_").replace(".", "_").lower()
    return _SECRET_NAME.search(snake) is not None and _NO_SECRET.search(snake) is None


def is_secret_value(text: str) -> bool:
    """Whether the value of a secret's field can be the secret itself, and not a reference to it or a setting."""
    return bool(text) and text.lower() not in _SETTING and _REFERENCE.match(text) is None


def may_hold_shapes(text: str) -> bool:
    """Whether a secret could be in the text by its shape: a quick look, which most texts do not pass."""
    small = text.lower()
    return len(text) >= SHORTEST_SHAPE and any(hint in small for hint in _HINTS)


def shapes_in(text: str) -> Iterator[tuple[Shape, int, int]]:
    """Secrets in the text by their shape: the shape, and from where to where the secret stands, by shape and place."""
    if not may_hold_shapes(text):
        return
    small = text.lower()
    for shape in SHAPES:
        if any(hint in small for hint in shape.hints):
            groups = tuple(shape.pattern.groupindex) or (0,)
            for match in shape.pattern.finditer(text):
                group = next(group for group in groups if match[group] is not None)
                yield shape, match.start(group), match.end(group)


def mask(text: str, *, stand_ins: bool = False) -> str:
    """The text with every secret of a known shape replaced by ``(sensitive)``.

    With ``stand_ins`` by the shape's public example, where it has one.
    """
    if not may_hold_shapes(text):
        return text
    pieces, done = [], 0
    for shape, start, end in sorted(shapes_in(text), key=lambda found: found[1:]):
        if start >= done:
            pieces += [text[done:start], (stand_ins and shape.stand_in) or MASK]
        done = max(done, end)  # two shapes may overlap: what either covers is hidden
    return "".join([*pieces, text[done:]]) if pieces else text
