#!/bin/bash
# ASSERTION: a probe that a program only asks for, by its _ENABLED() macro or __dtraceenabled function, is listed and enabled, and
#   never fires; where the probe also has a site, only that is its address.
# SECTION: USDT
# @@tags: userland
. "$(dirname "$0")/../../runner/show.sh"
cat >shop.d <<'P'
provider shop { probe only(int, char *); probe both(int); probe sol__aris(int); };
P
cat >shop.c <<'P'
#include <stdio.h>
#include "shop.h"
extern int __dtraceenabled_shop___sol__aris(void);
static int asked(int i) { if (SHOP_BOTH_ENABLED()) { SHOP_BOTH(i); return 1; } return 0; }
int main(void) {
	int only = 0, both = 0, solaris = 0;
	for (int i = 0; i < 100; i++) {
		if (SHOP_ONLY_ENABLED()) only++;
		both += asked(i);
		if (__dtraceenabled_shop___sol__aris()) solaris++;
	}
	printf("only %d both %d solaris %d\n", only, both, solaris);
}
P
"$dtrace" -h -s shop.d -o shop.h || exit 1
for options in -O2 '-O0 -g' '-O2 -ffunction-sections -Wl,--gc-sections'; do
	rm -f shop.o
	"${CC:-cc}" $options -c -o shop.o shop.c && "$dtrace" -G -s shop.d -o probes.o shop.o && "${CC:-cc}" $options -o shop shop.o probes.o && strip shop || exit 1
	echo "== $options"
	./shop
	"$dtrace" -ln 'shop$target:::' -c ./shop 2>&1 | awk '/shop[0-9]/ { print $NF }' | sort
	"$dtrace" -qn 'shop$target:::only, shop$target:::sol-aris { printf("%s fired with %d\n", probename, arg0); }' -c ./shop 2>&1
	"$dtrace" -qn 'shop$target::: { @[probename, arg0 == 99] = count(); } END { printa("%s %d %@d\n", @); }' -c ./shop 2>&1
done
echo "== the function that asks"
printf '#include "shop.h"\n__attribute__((noinline)) int wants_only(void) { return SHOP_ONLY_ENABLED(); }\nint main(void) { return wants_only(); }\n' >asks.c
for options in -O0 -O2; do
	"${CC:-cc}" $options -o asks asks.c || exit 1
	"$dtrace" -ln 'shop$target:::only' -c ./asks 2>&1 | awk '/shop[0-9]/ { print $(NF - 1), $NF }'
done
# Functions that the linker keeps one copy of.
cat >twice.h <<'P'
#include "shop.h"
inline bool is_wanted() { return SHOP_ONLY_ENABLED(); }
bool other();
P
printf '#include "twice.h"\nbool other() { return is_wanted(); }\n' >other.cc
printf '#include "twice.h"\n#include <cstdio>\nint main() { std::printf("%%d%%d\\n", is_wanted(), other()); }\n' >twice.cc
"${CXX:-c++}" -O0 -o twice twice.cc other.cc || exit 1
run -qn 'shop$target:::only { }' -c ./twice
