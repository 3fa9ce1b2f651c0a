#!/bin/bash
# ASSERTION: every command of the manual page runs as it is shown.
# @@timeout: 120
# @@shared
# @@tags: release
documents=$PWD/../../../doc
here=$PWD
cd "$tmpdir" && python3 "$here/commands.py" "$dtrace" "$documents/dtrace.8"
