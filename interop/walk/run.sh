#!/bin/sh
# The walk: every sentence of the contract has its tests, and what was found once stays found. Python 3
# alone is needed, and `quoin` as cargo built it.
set -eu
cd "$(dirname "$0")"
timeout 60 python3 contract.py
timeout 300 python3 findings.py
