#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: stacks of processes that start, map a library and end within milliseconds, and that nobody named beforehand, are
# whole, or are said and counted not to be: each firing once.
# @@tags: userland
cd "$tmpdir" || exit 1
cat >short.c <<'END'
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>
static int compare(const void *a, const void *b) {
  syscall(SYS_getppid);
  return *(const int *)a - *(const int *)b;
}
int main(void) {
  int numbers[] = {3, 1, 2};
  void *library = dlopen("libz.so.1", RTLD_NOW);
  void (*version)(void) = library ? (void (*)(void))dlsym(library, "zlibVersion") : 0;
  if (version) version();
  qsort(numbers, 3, sizeof *numbers, compare);
  return 0;
}
END
name=short$$
gcc -O2 -fomit-frame-pointer -o $name short.c -ldl || exit 1
cat >run.sh <<END
for i in {1..50}; do ./$name; done
END
$dtrace $dt_flags -q -x format=json -o out -x ledger=json -c "bash run.sh" -n 'syscall::getppid:entry /execname == "'$name'"/ {
  @calls = count(); @[ustack()] = count(); }' 2>ledger
python3 - ledger out <<'END'
import json, sys
losses = [loss for line in open(sys.argv[1]) if line.startswith('{') for loss in json.loads(line)['losses']]
said = sum(loss['count'] for loss in losses if loss['tag'] == 'STACKCUT')
calls = whole = cut = odd = 0
for item in map(json.loads, open(sys.argv[2])):
    for entry in item.get('entries', ()):
        if not entry['keys']:
            calls = entry['value']
            continue
        frames = entry['keys'][0]
        if 'cut' in frames[-1]:
            cut += entry['value']
        elif '`_start' in frames[-1]['symbol']:
            whole += entry['value']
        else:
            odd += entry['value']
print('calls', 'as many as were made' if calls >= 100 else calls)
print('whole or cut', 'all' if whole + cut == calls else f'{whole} + {cut} of {calls}')
print('neither', odd)
print('cut ones', 'are counted' if said == cut else f'{cut}, {said} of them counted')
print('whole ones', 'are among them' if whole else 'are missing')
END
