#!/bin/sh
# Compiles each *.in to *.txt with the hashes of every file, for every platform and Python >= 3.11.
set -eu
cd "$(dirname "$0")"
for name in toolkit checkov emulator tinyserver dev; do
    uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-header --no-emit-index-url \
        --no-emit-find-links "$name.in" -o "$name.txt"
done
