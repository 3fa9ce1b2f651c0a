#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Programs of every make: static and not, with and without fixed addresses, stripped, 32-bit, deleted, in namespaces of
# their own.
# @@parts
. "$(dirname "$0")/../../runner/sections.sh"
dtrace=$1
source=$PWD/../../trigger/calls.c

cd "$tmpdir" || exit 1
for flags in '' -no-pie -static -static-pie '-rdynamic -s'; do
  section "${flags:-as usual}" || continue
  image=image
  cc -O1 $flags -o $image "$source"
  echo "$image: $($dtrace -qn '
pid$target:a.out:twice:entry { @ = count(); }
pid$target:a.out:twice:return { @sum = sum(arg1); }
END { printa("%@d ", @); printa("%@d\n", @sum); }' -c "./$image 100" 2>&1 | tr -d '\n')"
done

if section narrow; then
  cat >narrow.c <<'EOF'
__attribute__((noinline)) int add(int a, int b, int c) {
  __asm__ volatile("");
  return a + b + c;
}
void _start(void) {
  for (int i = 0; i < 100; i++) add(i, 2, 3);
  __asm__ volatile("int $0x80" : : "a"(1), "b"(0));
}
EOF
  cc -m32 -O1 -nostdlib -static -ffreestanding -fno-pic -no-pie -o narrow narrow.c
  echo "narrow: $($dtrace -qn '
pid$target:a.out:add:entry { @ = sum(arg0 + 100000 * arg1 + 1000000 * arg2); }
pid$target:a.out:add:return { @sum = sum(arg1); }
END { printa("%@d ", @); printa("%@d\n", @sum); }' -c ./narrow 2>&1 | tr -d '\n')"
fi

if section deleted; then
  cp "$triggers/spin" deleted
  ./deleted 60 &
  pid=$!
  until [ "$(readlink /proc/$pid/exe)" = "$tmpdir/deleted" ]; do sleep 0.01; done
  rm deleted
  $dtrace -qn 'pid$target:a.out:spin_here:entry { printf("%s\n", probemod); exit(0); }' -p $pid
  kill $pid
  wait $pid 2>/dev/null
fi

section "in namespaces" || exit 0
mkdir other
unshare -m -p -f --mount-proc sh -c "mount -t tmpfs none '$tmpdir/other'; cp '$triggers/spin' '$tmpdir/other/inside'
  exec '$tmpdir/other/inside' 60" 2>/dev/null &
until pid=$(pgrep -nf "^$tmpdir/other/inside"); do sleep 0.01; done
$dtrace -qn 'pid$target:a.out:spin_here:entry { printf("%s\n", probemod); exit(0); }' -p "$pid"
{ kill -KILL "$pid"; wait; } 2>/dev/null
exit 0
