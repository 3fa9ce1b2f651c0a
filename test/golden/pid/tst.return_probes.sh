#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: returns of functions that call nothing are all seen, by the return instructions and by the kernel's return probe
#   alike, and an exception passes through functions whose returns are probed.
dtrace=$1

cat > "$tmpdir/throws.cpp" <<'PROGRAM'
#include <cstdio>
#define FUNCTION extern "C" __attribute__((noinline))
FUNCTION int leaf(int n) { if (n & 1) { asm volatile(""); return 3 * n; } asm volatile("nop"); return n + 1; }
FUNCTION int thrower(int n) { if (n % 3 == 0) throw n; return leaf(n) + 1; }
FUNCTION int passer(int n) { int r = thrower(n); asm volatile("" : "+r"(r)); return r + 1; }
FUNCTION int catcher(int n) { try { return passer(n) + 1; } catch (int caught) { return 1000 + caught; } }
int main() {
	long sum = 0;
	for (int i = 0; i < 90; i++) sum += catcher(i);
	std::printf("sum %ld\n", sum);
}
PROGRAM
"${CXX:-c++}" -O1 -fno-optimize-sibling-calls -o "$tmpdir/throws" "$tmpdir/throws.cpp" || exit 1
"$tmpdir/throws"
for value in arg1 'arg1 + 0 * arg0'; do
	$dtrace -qn '
pid$target:a.out:leaf:return, pid$target:a.out:thrower:return, pid$target:a.out:passer:return,
pid$target:a.out:catcher:return { @[probefunc] = count(); @sum[probefunc] = sum('"$value"'); }
END { printa("%s %@d %@d\n", @, @sum); }' -c "$tmpdir/throws" 2>&1 | sed '/^$/d' | sort
done
