#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: a process that maps hundreds of large files as code, whose call frame information is damaged in part, and as many
# pieces without a file, makes dtrace hold no more than its bound, and neither stops nor ends it; stacks are whole or cut.
# @@tags: userland
cd "$tmpdir" || exit 1
cat >hostile.c <<'END'
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
/* hostile FILE COPIES: maps so many damaged copies of a library. */
int main(int argc, char **argv) {
  long copies = atol(argv[2]);
  struct stat status;
  int from = open(argv[1], O_RDONLY);
  if (from < 0 || fstat(from, &status)) return 1;
  unsigned char *bytes = malloc(status.st_size);
  if (read(from, bytes, status.st_size) != status.st_size) return 1;
  unsigned state = 1;
  for (long i = 0; i < copies; i++) {
    char name[32];
    snprintf(name, sizeof name, "copy%ld", i);
    for (int n = 0; i > 0 && n < 2000; n++) { /* not the headers */
      state = state * 1103515245 + 12345;
      bytes[4096 + (state >> 1) % (status.st_size - 4096)] = state >> 16;
    }
    int to = open(name, O_RDWR | O_CREAT, 0755);
    if (to < 0 || write(to, bytes, status.st_size) != status.st_size) return 1;
    if (mmap(0, status.st_size, PROT_READ | PROT_EXEC, MAP_PRIVATE, to, 0) == MAP_FAILED) return 1;
    if (mmap(0, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED) return 1;
    close(to);
    syscall(SYS_getppid);
    unlink(name);
  }
  for (long i = 0; i < 1000; i++) syscall(SYS_getppid);
  return argc == 0;
}
END
gcc -O2 -fomit-frame-pointer -w -o hostile hostile.c || exit 1
python3 -B - "$dtrace" "$(ldconfig -p | awk '/libstdc\+\+\.so\.6 .*(x86-64|AArch64)/ { print $NF; exit }')" $dt_flags <<'END'
import json, resource, subprocess, sys
dtrace, library, flags = sys.argv[1], sys.argv[2], sys.argv[3:]
def run(copies):
    done = subprocess.run([dtrace, *flags, '-q', '-x', 'format=json', '-x', 'unwindsize=1m', '-c', f'./hostile {library} {copies}', '-n',
                           'syscall::getppid:entry /pid == $target/ { @[ustack()] = count(); }'],
                          stdout=subprocess.PIPE, text=True, timeout=100)
    calls = odd = 0
    for item in map(json.loads, done.stdout.splitlines()):
        for entry in item.get('entries', ()):
            frames = entry['keys'][0]
            calls += entry['value']
            if 'cut' not in frames[-1] and '`_start' not in frames[-1]['symbol']:
                odd += entry['value']
    print(copies, 'copies: exit status', done.returncode, '- calls', calls, '- neither whole nor cut', odd)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
few = run(2)
many = run(120)
grown = (many - few) // 1024
print('memory', 'is bounded' if grown < 64 else f'grew by {grown} MB')
END
