#!/bin/bash
# ASSERTION: every command of the README that traces or lists runs as it is shown.
# @@timeout: 120
documents=$PWD/../../..
here=$PWD
cd "$tmpdir" || exit 1
head -c 5000000 /dev/urandom >file
# It shows commands without the prompt by which the others are known.
sed "s/^    \(dtrace -[nl]\)/    # \1/" "$documents/README.md" >README.md
python3 "$here/commands.py" "$dtrace" README.md
