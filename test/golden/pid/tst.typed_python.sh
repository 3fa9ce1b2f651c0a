#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: types of the distribution's software, from its debug packages (build IDs, dwz, link-time optimisation): names of
# Python functions through the interpreter's structures, as often as they were called; the descriptor in libc's FILE; the
# interpreter's global state.
# @@timeout: 120  @@tags: userland
dtrace=$1
cat >"$tmpdir/calls.py" <<'PY'
def square(x):
    return x * x
def negate(x):
    return -x
list(map(square, range(40)))
list(map(negate, range(30)))
PY
$dtrace $dt_flags -q -c "$system_python -S $tmpdir/calls.py" -n '
  pid$target:a.out:_PyEval_EvalFrameDefault:entry {
    this->name = stringof((char *)((PyASCIIObject *)args[1]->f_code->co_name + 1));
    @calls[this->name] = count();
    @throws[this->name] = sum(args[2]);
    @same[args[0]->interp == python3`_PyRuntime.interpreters.main] = count();
  }
  END { printa("%s %@d\n", @calls); printa("main interpreter: %d\n", @same); }' 2>&1 | grep -E '^(square|negate|main)' | sort
cat >"$tmpdir/file.c" <<'C'
#include <stdio.h>
int main(void) {
  FILE *file = fopen("/dev/null", "r");
  return fileno(file) == 3 ? fclose(file) : 1;
}
C
gcc -o "$tmpdir/file" "$tmpdir/file.c" || exit 1
$dtrace $dt_flags -q -c "$tmpdir/file" -n 'pid$target:libc.so.6:fclose:entry { printf("descriptor %d\n", args[0]->_fileno); }' 2>&1 | grep .
