"""hawser: from one contract file to reviewed, policy-checked, exactly-applied infrastructure."""

__version__ = "0.1.0"
