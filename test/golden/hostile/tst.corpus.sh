#!/bin/bash
# Files made to harm a tracer: truncated, damaged, sparse, oversized, with loops and with control bytes in names.
# @@timeout: 900  @@lock: damaged  @@tags: userland long  @@shared
exec python3 "$(dirname "$0")/corpus.py" "$1"
