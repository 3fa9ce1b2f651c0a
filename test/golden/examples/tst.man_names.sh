#!/bin/bash
# ASSERTION: the manual page names every option, built-in variable, action, subroutine and aggregating function there is.
# @@tags: unprivileged
top=$PWD/../../..
words=$(sed 's/\\-/-/g; s/[^A-Za-z0-9_]/ /g' "$top/doc/dtrace.8" | tr ' ' '\n' | sort -u)
sed -nE 's/^(OPTION|BUILTIN|VARIABLE)\((\w+),.*/\2/p' "$top"/src/base/options.def "$top"/src/frontend/lang/{builtins,variables}.def |
  grep -vE '^arg[1-8]$' | sort -u | comm -23 - <(echo "$words")
