#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: stacks and addresses of a process that executes one program after the other are named by the program that it
# executed at the time, also where all of them have the same addresses.
# @@tags: userland
cd "$tmpdir" || exit 1
cat >program.c <<'END'
#include <unistd.h>
__attribute__((noinline)) int FUNCTION(void) { return getppid() + 1; }
int main(int argc, char **argv) {
  int parent = FUNCTION();
  if (argc > 1) execvp(argv[1], argv + 1);
  return parent == 0;
}
END
# Their code begins at different addresses, as that of most programs does.
for page in first:4096 second:65536; do
  name=${page%:*}
  gcc -O2 -fno-optimize-sibling-calls -DFUNCTION=in_$name -Wl,-z,max-page-size=${page#*:} -o $name program.c || exit 1
done
cat >shown.py <<'END'
import json, re, sys
rows = {}
for item in map(json.loads, sys.stdin):
    for entry in item.get('entries', ()):
        name, value = entry['keys'][:2]
        if isinstance(value, list):
            value = [frame['symbol'] for frame in value]
            own = [text.split('`')[-1].split('+')[0] for text in value if text.startswith(f'{name}`')]
            others = {re.split('[`+]', text)[0] for text in value} - {name}
            # Perl's functions depend on its version.
            shown = f'stack of {" ".join(own) if name != "perl" else "its own"} and {" ".join(sorted(others))}'
        else:
            shown = ' '.join(entry['keys'][1:]) if name != 'perl' else entry['keys'][2]
        rows[f'{name}: {shown}'] = rows.get(f'{name}: {shown}', 0) + entry['value']
for shown, count in sorted(rows.items()): print(' ', shown, count)
END
chain="./first ./second ./first ./second"
for how in '' 'setarch -R'; do
  echo "${how:-as it is}:"
  for last in "$chain" "./second ./first sh -c 'exec perl -e getppid'"; do
    $dtrace $dt_flags -q -x format=json -c "${how:+$how }$last" -n 'syscall::getppid:entry /pid == $target && execname != "sh"/ {
      @[execname, ustack()] = count(); @u[execname, ufunc(ucaller), umod(ucaller)] = count(); }' >out || exit 1
    python3 -B shown.py <out
  done
done
