#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: with -x argerrors=skip a clause is left out for the functions that lack an argument, with one warning, and fires for the
#   others with each one's own type; the default refuses the script.
# @@tags: userland
cd "$tmpdir" || exit 1
cat >shop.c <<'C'
#define KEEP __attribute__((noinline))
volatile long sink;
KEEP void sell(int price, const char *name) { sink += price + name[0]; }
KEEP void weigh(double weight) { sink += (long)weight; }
KEEP void close_shop(void) { sink++; }
KEEP void rename_item(const char *name) { sink += name[0]; }
int main(void) { sell(7, "pear"); weigh(1.5); close_shop(); rename_item("plum"); return 0; }
C
gcc -O1 -g -o shop shop.c || exit 1
cat >shop.d <<'D'
pid$target:a.out:sell:entry,
pid$target:a.out:weigh:entry,
pid$target:a.out:close_shop:entry
{ printf("%s %d\n", probefunc, (int)args[0]); @firings[probefunc] = count(); }

pid$target:a.out:weigh:entry { @weights = sum(args.weight); }
pid$target:a.out:[rsw]e[iln]*:entry { @first[probefunc, (long)args[0] < 100] = count(); }
END { printa("%s %@d\n", @firings); printa("%s %d %@d\n", @first); }
END { printa(@weights); }
D
shown() { "$dtrace" $dt_flags -q "$@" -c ./shop 2>&1 | sed 's/pid[0-9][0-9]*/pidN/g' | grep .; }
echo "== refused"
shown -xerrtags -s shop.d | head -1
echo "== left out"
shown -x argerrors=skip -s shop.d
echo "== nothing is left"
shown -x argerrors=skip -n 'pid$target:a.out:weigh:entry { trace(args[0]); }'
