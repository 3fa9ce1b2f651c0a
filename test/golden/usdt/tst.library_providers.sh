#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: providers of the distribution's programs, which carry no types, have them from the D library: names of files
# and functions are userland strings, and a user's library comes before the system's.
# @@tags: long
# @@lock: postgresql
# @@shared
. ./common.sh
cat >"$tmpdir/prog.py" <<'P'
import gc
def work(n): return n + 1
for i in range(5): work(i)
gc.collect(1)
P
echo "-- python"
"$dtrace" -q -n 'python$target:::line { lines++; }
  python$target:::function-entry /stringof(args[1]) == "work"/ { @[basename(copyinstr(args[0])), stringof(args[1]), args[2]] = count(); }
  python$target:::gc-start { @gc[args[0]] = count(); }
  END { printa("%s %s line %d: %@d\n", @); printa("generation %d\n", @gc); }' -c "$system_python $tmpdir/prog.py" | grep -E 'prog|generation 1'
"$dtrace" -lv -n 'python$target:::function-entry' -c "$system_python $tmpdir/prog.py" | sed 1,2d
echo "-- the user's own"
mkdir "$tmpdir/lib"
cat >"$tmpdir/lib/p.d" <<'D'
typedef struct work { string name; } work_t;
translator work_t < char *C > { name = copyinstr((uintptr_t)C); };
provider python { probe function__entry(char *file, char *function, int line) : (work_t *function, int line); };
D
"$dtrace" -q -L "$tmpdir/lib" -n 'python$target:::line { lines++; }
  python$target:::function-entry /args[0]->name == "work"/ { @[args[0]->name, args[1]] = count(); }
  END { printa("%s line %d: %@d\n", @); }' -c "$system_python $tmpdir/prog.py" | grep .
echo "-- one that makes no sense"
echo 'provider python { probe function__entry(char *file) : (int a, int b); };' >"$tmpdir/lib/p.d"
"$dtrace" -xerrtags -q -L "$tmpdir/lib" -n 'python$target:::function-entry { trace(args[0]); }' -c "$system_python $tmpdir/prog.py" 2>&1 |
  grep -o 'D_ARGS_TYPE\|line 1: translated.*'
echo "-- postgresql"
start_postgres
trace -q -n 'BEGIN { printf("ready\n"); }
  postgresql*:::query-start /ppid == '"$postgres"' && strstr(stringof(args[0]), "AS a") != NULL/ { @[stringof(args[0])] = count(); self->q = 1; }
  postgresql*:::query-done /self->q/ { @done[copyinstr(args[0])] = count(); self->q = 0; }
  END { printa("%s %@d\n", @); printa("%s %@d done\n", @done); }'
for i in 1 2 3; do pg psql -h "$pgdir" -U test -qAtc "SELECT $i AS a" postgres; done
end_trace
grep SELECT "$out" | sort
"$dtrace" -lv -n "postgresql$postgres:::buffer-read-done" | grep 'args\[' | sort -u
