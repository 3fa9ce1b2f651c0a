#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: arguments of functions in all processes have the types and names of the file's debug information; its types have
# names in the clause; a variable has no address there, which is said.
# SECTION: Providers, pid
# @@tags: userland
. ./all_common.sh
exec 2>&1
cat >"$tmpdir/typed.c" <<'C'
struct item { int id; struct item *next; };
int total;
__attribute__((noinline)) int take(struct item *item, short weight, const char *label) {
	asm volatile("" : : "r"(item), "r"(label) : "memory");
	return total += item->id * weight;
}
int main(int argc, char **argv) {
	struct item last = {7, 0}, first = {3, &last};
	take(&first, -2, "one");
	take(&last, 5, "two");
	return 0;
}
C
gcc -g -O2 -o "$tmpdir/typed" "$tmpdir/typed.c" || exit 1
cat >"$tmpdir/typed.d" <<D
pid*:$tmpdir/typed:take:entry
{
	printf("%s %d %d %s %d\n", execname, args[0]->id, args.weight, stringof(args.label),
	    args.item->next ? args.item->next->id : -1);
	self->number = ((struct item *)arg0)->id;
	@seen[pid] = count();
}
pid*:$tmpdir/typed:take:return { printf("%d returned %d\n", self->number, args.retval); }
BEGIN { system("for i in 1 2; do $tmpdir/typed; done; kill -INT %d", \$pid); }
END { printa("%@d calls\n", @seen); }
D
"$dtrace" -qws "$tmpdir/typed.d" | sed '/^$/d'
"$dtrace" -qn "pid*:$tmpdir/typed:take:entry { trace(typed\`total); }" 2>&1 | head -1
# The registers of x86-64 stand for those of arm64.
"$dtrace" -lvn "pid*:$tmpdir/typed:take:entry" | grep 'args\[' | sed 's/: x0)/: rdi)/; s/: x1)/: rsi)/; s/: x2)/: rdx)/'
exit 0
