#!/bin/bash
# A library that is truncated while dtrace reads it does not end dtrace.
# @@timeout: 300  @@lock: damaged  @@tags: userland  @@shared
exec python3 "$(dirname "$0")/truncated.py" "$1"
