"""One redactor for everything that leaves the bundle folder: reports, messages, and what a scanner is fed.

A plan holds secrets in clear in many places, and Terraform's marks cover only some of them. So all marks are believed,
the strictest wins, and a value that is secret in one place is hidden wherever its text appears. On top come fields
whose name says secret and texts whose shape does (``terraform/secrets.py``).
"""

from hawser.report.redact.redactor import Redactor

__all__ = ["Redactor"]
