"""Serves a GGUF file with llama.cpp's server: ``serve.py FILE SERVED_NAME``. Prints its URL; ends with its stdin.

A program in the environment ``tinyserver``.
"""

from __future__ import annotations

import sys

import xllamacpp


def main(file: str, served_name: str) -> None:
    parameters = xllamacpp.CommonParams()
    parameters.model.path = file
    parameters.model_alias = {served_name}
    parameters.port = 0  # a free one
    parameters.n_ctx = 1024  # a model that finds no end is cut soon
    parameters.n_parallel = 1
    parameters.cpuparams.n_threads = 1
    parameters.endpoint_metrics = True
    parameters.warmup = False
    server = xllamacpp.Server(parameters)
    sys.stdout.write(f"{server.listening_address}\n")
    sys.stdout.flush()
    sys.stdin.read()


if __name__ == "__main__":
    main(*sys.argv[1:])
