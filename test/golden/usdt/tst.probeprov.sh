#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: under a glob over processes probeprov is the provider of the process that fires, in records, keys and
# comparisons.
. ./common.sh
cat >"$tmpdir/prov.d" <<'P'
provider dtgolden { probe step(int n); };
P
cat >"$tmpdir/prog.c" <<'P'
#include "prov.h"
int main(void) {
  for (int i = 0; i < 3; i++) DTGOLDEN_STEP(i);
  return 0;
}
P
"$dtrace" -h -s "$tmpdir/prov.d" -o "$tmpdir/prov.h" || exit 1
cc -O2 -I"$tmpdir" -o "$tmpdir/prog" "$tmpdir/prog.c" || exit 1
"$dtrace" -q -c "$tmpdir/prog" -n 'dtgolden*:::step { printf("%d %s\n", (int)arg0, probeprov); @[probeprov] = count(); }
  dtgolden*:::step /probeprov == "dtgolden*"/ { @wrong = count(); }
  dtgolden*:::step /probeprov == "dtgolden1"/ { @wrong = count(); }
  END { printf("%d\n", $target); printa("%s %@d\n", @); printa(@wrong); }' >"$out" || exit 1
pid=$(grep -x '[0-9]*' "$out")
sed "s/$pid/PID/g" "$out"

# A process that is there already, by its name.
cat >"$tmpdir/waits.c" <<'P'
#include <unistd.h>
#include "prov.h"
int main(void) {
  char c;
  for (int i = 0; i < 3 && read(0, &c, 1) == 1; i++) DTGOLDEN_STEP(i);
  return 0;
}
P
cc -O2 -I"$tmpdir" -o "$tmpdir/waits" "$tmpdir/waits.c" || exit 1
mkfifo "$tmpdir/in"
"$tmpdir/waits" <"$tmpdir/in" &
waits=$!
exec 5>"$tmpdir/in"
until grep -q waits "/proc/$waits/maps"; do sleep 0.05; done
trace -q -n 'BEGIN { printf("ready\n"); }
  dtgolden*:::step /probeprov == "dtgolden'$waits'"/ { @ = count(); }
  dtgolden*:::step /probeprov != "dtgolden'$waits'"/ { @other = count(); }
  END { printa("of it %@d\n", @); printa("of others %@d\n", @other); }'
printf xyz >&5
exec 5>&-
wait "$waits"
end_trace
sed '/^$/d' "$out"
