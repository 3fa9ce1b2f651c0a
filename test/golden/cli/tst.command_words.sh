#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Words of a command: -c takes quotes and backslashes, and -- takes words as they are. Operands before -- are arguments;
# what follows it and begins with a dash is an argument, too.
# @@tags: release
dtrace=$1
printf '%s\n' '#!/bin/sh' 'for word; do printf "<%s>\\n" "$word"; done' >"$tmpdir/words"
chmod +x "$tmpdir/words"
cd "$tmpdir" || exit 1
words() { $dtrace $dt_flags -qn 'BEGIN { printf("begin\n"); }' "$@" 2>&1 | grep .; }
words -c './words one "two  words" it\'"'"'s '"'"'a "b"'"'"' ""'
words -- ./words one 'two  words' "it's" 'a\b' ''
words -c "./words 'one"
$dtrace $dt_flags -qn 'BEGIN { printf("%d\n", $1); }' 7 -- ./words x 2>&1 | grep .
$dtrace $dt_flags -qn 'BEGIN { printf("%d\n", $1); exit(0); }' -- -7 2>&1 | grep .
exit 0
