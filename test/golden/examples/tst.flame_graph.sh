#!/bin/bash
# ASSERTION: the commands of the page about a first flame graph run as they are shown, and the graph has the program's functions.
# @@timeout: 120
# @@tags: long release userland
# @@shared
documents=$PWD/../../../doc
here=$PWD
cd "$tmpdir" && cp -r "$documents" doc && slow= python3 "$here/commands.py" "$dtrace" doc/flame-graph.md
grep -o 'shop::[a-z_][a-z_]*' cpu.html | sort -u
