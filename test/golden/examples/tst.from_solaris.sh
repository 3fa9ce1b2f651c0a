#!/bin/bash
# ASSERTION: every command of the guide for users of other DTraces runs as it is shown.
# @@timeout: 120
# @@tags: long release
# @@shared
documents=$PWD/../../../doc
here=$PWD
cd "$tmpdir" && cp -r "$documents" doc && python3 "$here/commands.py" "$dtrace" doc/from-solaris.md
