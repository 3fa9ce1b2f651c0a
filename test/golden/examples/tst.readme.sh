#!/bin/bash
# ASSERTION: every command of the README runs as it is shown, from the folder that holds it.
# @@timeout: 120
# @@tags: release
documents=$PWD/../../..
here=$PWD
cd "$tmpdir" || exit 1
cp -r "$documents/doc" doc || exit 1
# It shows commands without the prompt by which the others are known.
sed "s/^    \(dtrace -[nlh]\)/    # \1/" "$documents/README.md" >README.md
python3 "$here/commands.py" "$dtrace" README.md
