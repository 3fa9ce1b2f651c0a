#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: a program on a typed tracepoint opens the kernel's types as often as one on a raw tracepoint; libbpf does not read
# them once more.
cd "$tmpdir" || exit 1
echo 'sdt:sched::sched_switch { @ = count(); } BEGIN { exit(0); }' >raw.d
echo 'sdt:sched::sched_switch { @ = sum(args.prev->pid); } BEGIN { exit(0); }' >typed.d
opens() {
  "$dtrace" -qn 'syscall::openat:entry /pid == $target/ { self->path = arg1; }
    syscall::openat:return /self->path && copyinstr(self->path) == "/sys/kernel/btf/vmlinux"/ { n++; }
    syscall::openat:return { self->path = 0; } END { printf("%d", n); }' -c "$dtrace -qs $1.d"
}
"$dtrace" --stop-after=plan --dump -s typed.d | grep -o '(typed)'
raw=$(opens raw) typed=$(opens typed)
[ "$raw" -gt 0 ] && [ "$raw" = "$typed" ] && echo "as often" || echo "raw $raw, typed $typed"
