"""A bundle as one object: what travels of it, packed so that there is exactly one right way to write it.

An uncompressed ustar archive: a plan is compressed already, and what is not compressed cannot explode. plan.json holds
secrets and stays where it was made; whoever gets a bundle asks terraform for it again. Reports are packed for people
who look into the object; ``hawser bundle pull`` never believes them, but makes its own from the plan.
"""

from __future__ import annotations

import io
import tarfile
from collections.abc import Mapping
from typing import Final

from hawser.cli.bundles import PLAN, RECORD, REPORTS, TFVARS

#: Member -> most bytes: far above what a plan of thousands of resources takes, far below what a machine can hold.
_MOST: Final[Mapping[str, int]] = {
    PLAN: 128 * 2**20,
    RECORD: 64 * 2**10,
    TFVARS: 2**20,
    **dict.fromkeys(REPORTS, 64 * 2**20),
}
_NEEDED: Final = frozenset({PLAN, RECORD, TFVARS})
#: Most bytes of a whole archive.
MOST: Final = 256 * 2**20


def pack(files: Mapping[str, bytes]) -> bytes:
    """The archive of ``files``: members sorted, owned by nobody, of no time, so that equal files give equal bytes.

    Raises ``ValueError`` with one sentence for a file that does not travel, one that is missing, or one too long.
    """
    _check(files)
    whole = io.BytesIO()
    with tarfile.open(fileobj=whole, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name in sorted(files):
            member = tarfile.TarInfo(name)
            member.size, member.mode = len(files[name]), 0o600
            archive.addfile(member, io.BytesIO(files[name]))
    return whole.getvalue()


def unpack(data: bytes) -> dict[str, bytes]:
    """The files in an archive that ``pack`` made; nothing is written anywhere.

    Raises ``ValueError`` with one sentence when it is anything else: cut off, with a link, a path, a member that is
    unknown, twice there or missing, or with bytes beside the members.
    """
    if len(data) > MOST:
        raise ValueError(f"the archive is longer than {MOST} bytes")
    files: dict[str, bytes] = {}
    try:
        with tarfile.open(fileobj=io.BytesIO(data), mode="r:") as archive:
            for member in archive:
                if member.type != tarfile.REGTYPE:
                    raise ValueError(f"{_named(member.name)} in the archive is no plain file")
                if member.name in files:
                    raise ValueError(f"{_named(member.name)} is twice in the archive")
                if member.name not in _MOST:
                    raise ValueError(f"{_named(member.name)} does not belong into the archive")
                content = archive.extractfile(member)
                assert content is not None
                files[member.name] = content.read()
    except tarfile.TarError:
        raise ValueError("the archive is damaged or cut off") from None
    _check(files)
    # Whatever else a tar file can say (long names, sparse files, owners, a second end) is not what pack writes.
    if pack(files) != data:
        raise ValueError("the archive holds more than its members, or is not as hawser packs it")
    return files


def _check(files: Mapping[str, bytes]) -> None:
    if missing := sorted(_NEEDED - set(files)):
        raise ValueError(f"the archive lacks {missing[0]}")
    for name, content in files.items():
        if name not in _MOST:
            raise ValueError(f"{_named(name)} does not belong into the archive")
        if len(content) > _MOST[name]:
            raise ValueError(f"{name} is longer than {_MOST[name]} bytes")


def _named(name: str) -> str:
    return repr(name[:80])
