#!/bin/bash
# ASSERTION: every one-liner of doc/examples runs as it is shown.
# @@timeout: 240
# @@tags: long release
# @@shared
documents=$PWD/../../../doc
here=$PWD
cd "$tmpdir" && python3 "$here/commands.py" "$dtrace" "$documents/examples/README.md"
