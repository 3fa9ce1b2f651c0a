#!/bin/bash
# ASSERTION: the examples of the reference of the language show what it says.
# @@timeout: 900
# @@tags: long release
# @@shared
cp ../../../doc/language.md "$tmpdir"
here=$PWD
cd "$tmpdir" && python3 "$here/language.py" "$dtrace" language.md
