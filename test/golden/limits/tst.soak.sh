#!/bin/bash
# What dtrace keeps of programs that come and go is bounded: its memory and its open files reach a plateau.
# @@timeout: 600  @@tags: userland long release  @@shared
exec python3 "$(dirname "$0")/soak.py" "$1"
