#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: the last stack of a command that ends at once has names, wherever the command was held, and after it has
# become another program. Half of the runs have no random addresses: there each program is where the one before it was.
# @@parts    @@timeout: 150
# @@tags: release
. "$(dirname "$0")/../../runner/sections.sh"
dtrace=$1
cat >"$tmpdir/ends.c" <<'C'
#include <sys/syscall.h>
__attribute__((noinline)) void last(void) {
  register long number __asm__("rax") = SYS_exit_group, status __asm__("rdi") = 0;
  __asm__ volatile("syscall" : : "r"(number), "r"(status));
}
__attribute__((noinline)) void before(void) { last(); __asm__ volatile(""); }
int main(void) { before(); return 0; }
C
cd "$tmpdir" || exit 1
flags="-O1 -fno-omit-frame-pointer"
cc $flags -o ends ends.c || exit 1
cc $flags -static -o ends_static ends.c || exit 1
cat >library.c <<'C'
void before(void);
void in_library(void) { before(); __asm__ volatile(""); }
C
sed 's/before(); return/in_library(); return/; s/^int main/void in_library(void);\nint main/' ends.c >calls.c
cc $flags -shared -fPIC -o libends.so library.c || exit 1
cc $flags -rdynamic -o ends_library calls.c ./libends.so || exit 1
fixed=$(setarch -R echo setarch -R 2>/dev/null)
times=${slow:+2}
times=${times:-3}
for when in exec preinit postinit main; do
  for command in ./ends ./ends_static ./ends_library 'env ./ends' 'env ./ends_library'; do
    section "$when $command" || continue
    for i in $(seq $times); do
      $([ $((i % 2)) = 1 ] || echo "$fixed") $dtrace $dt_flags -q -x evaltime=$when -c "$command" -n 'syscall::exit_group:entry /pid == $target/ { ustack(4); }' 2>&1
    done | awk -v what="$when $command:" -v times=$times '
      /^dtrace:/ { print; next }
      NF { sub(/\+0x.*/, ""); n[$1]++; if (!($1 in seen)) { seen[$1]; order[++k] = $1 } }
      END { printf "%s", what; for (i = 1; i <= k; i++) if (order[i] ~ /^0x|`(last|in_library|main)$/) printf " %s %s", order[i], n[order[i]] == times ? "always" : n[order[i]] " times"; print "" }'
  done
done
