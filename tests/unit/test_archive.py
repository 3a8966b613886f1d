"""The archive of a bundle: one way to write it, and everything else refused before a byte of it is used."""

from __future__ import annotations

import io
import tarfile
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hawser.cli import archive

FILES = {"plan.tfplan": b"PK plan", "record.json": b"{}\n", "tfvars.json": b"{}\n", "report.txt": b"report\n"}
PACKED = archive.pack(FILES)


def tar(*members: tuple[tarfile.TarInfo, bytes], form: int = tarfile.USTAR_FORMAT) -> bytes:
    whole = io.BytesIO()
    with tarfile.open(fileobj=whole, mode="w", format=form) as made:
        for member, content in members:
            member.size = len(content)
            made.addfile(member, io.BytesIO(content))
    return whole.getvalue()


def member(name: str, **fields: object) -> tarfile.TarInfo:
    made = tarfile.TarInfo(name)
    made.mode = 0o600
    for field, value in fields.items():
        setattr(made, field, value)
    return made


def files(*more: tuple[tarfile.TarInfo, bytes]) -> list[tuple[tarfile.TarInfo, bytes]]:
    return [*((member(name), content) for name, content in sorted(FILES.items())), *more]


def test_there_and_back_the_same_bytes() -> None:
    assert archive.unpack(PACKED) == FILES
    assert archive.pack(dict(reversed(FILES.items()))) == PACKED
    assert tar(*files()) == PACKED


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "damaged or cut off"),
        (b"rubbish", "damaged or cut off"),
        (PACKED[:700], "damaged or cut off|lacks"),
        (PACKED[:-512], "more than its members"),
        (PACKED + b"\0" * 512, "more than its members"),
        (PACKED + b"hidden", "more than its members"),
        (PACKED.replace(b"PK plan", b"XX plan").replace(b"0000600", b"0000777", 1), "damaged"),
        (tar(*files((member("../../.ssh/authorized_keys"), b"x"))), "does not belong"),
        (tar(*files((member("/etc/passwd"), b"x"))), "does not belong"),
        (tar(*files((member("plan.json"), b"{}"))), "'plan.json' does not belong"),
        (tar(*files((member("used.json"), b"{}"))), "does not belong"),
        (tar(*files((member("approvals.json"), b"{}"))), "does not belong"),
        (tar(*files((member("report.md", type=tarfile.SYMTYPE, linkname="/etc/passwd"), b""))), "no plain file"),
        (tar(*files((member("report.md", type=tarfile.LNKTYPE, linkname="plan.tfplan"), b""))), "no plain file"),
        (tar(*files((member("report.md", type=tarfile.DIRTYPE), b""))), "no plain file"),
        (tar(*files((member("report.md", type=tarfile.FIFOTYPE), b""))), "no plain file"),
        (tar(*files((member("plan.tfplan"), b"another"))), "twice"),
        (tar(*reversed(files())), "more than its members"),
        (tar(*files((member("report.md", mode=0o777), b"x"))), "more than its members"),
        (tar(*files((member("report.md", mtime=1), b"x"))), "more than its members"),
        (tar(*files(), form=tarfile.PAX_FORMAT).replace(b"ustar\x0000", b"ustar  \0"), "damaged|more than"),
        (tar(*files((member("report.md", pax_headers={"comment": "x"}), b"x")), form=tarfile.PAX_FORMAT), "more than"),
        (tar((member("plan.tfplan"), b"x"), (member("record.json"), b"{}")), "lacks tfvars.json"),
        (tar((member("record.json"), b"x" * 70_000), *files()[:1], *files()[3:]), "longer than"),
    ],
)  # fmt: skip
def test_what_is_refused(data: bytes, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        archive.unpack(data)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda given: given | {"plan.json": b"{}"}, "does not belong"),
        (lambda given: given | {"record.json": b"x" * 70_000}, "longer than"),
        (lambda given: {n: c for n, c in given.items() if n != "plan.tfplan"}, "lacks plan.tfplan"),
    ],
)
def test_what_is_not_packed(change: Callable[[dict[str, bytes]], dict[str, bytes]], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        archive.pack(change(FILES))


@given(st.integers(0, len(PACKED) - 1), st.integers(1, 255))
def test_any_damage_is_one_sentence_or_changes_a_file(at: int, flip: int) -> None:
    """Every single byte counts: a changed one is refused, or it is one of a file's content, which its hash knows."""
    damaged = bytearray(PACKED)
    damaged[at] ^= flip
    try:
        found: object = archive.unpack(bytes(damaged))
    except ValueError as error:
        found = str(error)
    assert found != FILES
    assert "\n" not in str(found) or isinstance(found, dict)
