"""The command line: where the packages are joined and where I/O happens."""
