"""Makes the labelled plans with the real terraform and the real AWS provider, without an account.

    PYTHONPATH=. python tests/gate/labelled/make_plans.py [NAME …]

Sources and ways are those of the rules' fixtures: see ``tests/policy/make_fixtures.py``.
"""

from __future__ import annotations

import sys
from pathlib import Path

from tests.policy.make_fixtures import make

PLANS = Path(__file__).parent / "plans"


def main(names: list[str]) -> None:
    """Plan the sources of these names, or all."""
    make(source for source in sorted(PLANS.glob("*.tf")) if not names or source.stem in names)


if __name__ == "__main__":
    main(sys.argv[1:])
