"""Whether there are credentials at all."""

from __future__ import annotations


def has_credentials() -> bool:
    """Whether the AWS SDK finds credentials; nothing is sent but, on EC2, the question for the instance's role."""
    import botocore.exceptions
    import botocore.session

    try:
        return botocore.session.Session().get_credentials() is not None
    except botocore.exceptions.BotoCoreError:  # a profile that does not exist, a file that cannot be read
        return False
