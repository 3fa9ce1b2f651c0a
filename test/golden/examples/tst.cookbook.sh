#!/bin/bash
# ASSERTION: every command of the cookbook runs as it is shown.
# @@timeout: 240
# @@tags: long release
# @@shared
documents=$PWD/../../../doc
here=$PWD
cd "$tmpdir" && cp -r "$documents" doc && python3 "$here/commands.py" "$dtrace" doc/cookbook.md
