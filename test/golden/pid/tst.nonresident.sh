#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: memory of a program whose page is not there, as the kernel's table of its pages says, is read: a string and bytes of
# a file that it has mapped and never touched, of its own constants, and of a page that is nothing but zeros. The reading
# brings the page in. Where programs may not wait for a page, each is a fault, and said to be one.
dtrace=$1
cat >"$tmpdir/peek.c" <<'C'
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>
#define ROOM 65536 /* no page is larger */
static uintptr_t page;
__attribute__((aligned(ROOM))) static const char constants[3 * ROOM] = {[ROOM] = 'f', 'a', 'r', ' ', 'a', 'w', 'a', 'y'};
static int is_present(const volatile char *p) {
  uint64_t entry = 0;
  int fd = open("/proc/self/pagemap", O_RDONLY);
  if (pread(fd, &entry, 8, (uintptr_t)p / page * 8) != 8) printf("no page table; ");
  close(fd);
  return entry >> 63;
}
__attribute__((noipa)) void peek(const char *p) { }
static void show(const char *what, const char *p) {
  madvise((char *)((uintptr_t)p / page * page), page, MADV_DONTNEED);
  int before = is_present(p);
  peek(p);
  printf("%s: present %d, %d\n", what, before, is_present(p));
}
int main(int argc, char **argv) {
  page = sysconf(_SC_PAGESIZE);
  int fd = open(argv[1], O_RDWR | O_CREAT | O_TRUNC, 0600);
  if (ftruncate(fd, 2 * ROOM) != 0 || pwrite(fd, "in a file", 10, ROOM) != 10) return 1;
  char *file = mmap(NULL, 2 * ROOM, PROT_READ, MAP_PRIVATE, fd, 0);
  char *zeros = mmap(NULL, ROOM, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  madvise(file, 2 * ROOM, MADV_RANDOM); /* no neighbours */
  madvise((char *)constants, sizeof constants, MADV_RANDOM);
  show("file", file + ROOM);
  show("constants", constants + ROOM);
  show("zeros", zeros);
  return 0;
}
C
cc -O1 -o "$tmpdir/peek" "$tmpdir/peek.c" || exit 1
peek() {
  rm -f "$tmpdir/out"
  $dtrace $dt_flags -q -xtemporal -o "$tmpdir/out" -c "$tmpdir/peek $tmpdir/data" -n 'pid$target:a.out:peek:entry {
    printf("\"%s\" %d\n", copyinstr(arg0), *(char *)copyin(arg0 + 3, 1)); }
    ERROR { printf("fault %d\n", arg4); faults++; } END { printf("faults %d\n", faults); }' 2>/dev/null
  cat "$tmpdir/out" # behind the program's own output
}
echo "waiting:"
peek
echo "not waiting:"
DTRACE_KERNEL_LACKS=sleepable_uprobe peek | grep -e present -e faults
