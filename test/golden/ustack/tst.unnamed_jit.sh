#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: samples in code that a JIT compiler made and nobody names are counted at the end, with the option of the program that
#   names it; a program with a map, and one that nobody knows, get no message.
# @@tags: userland
cd "$tmpdir" || exit 1
cat >spin.c <<'C'
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
int main(int argc, char **argv) {
#ifdef __x86_64__
	static const unsigned char loop[] = {0xeb, 0xfe};
#else
	static const unsigned char loop[] = {0, 0, 0, 0x14};
#endif
	void *code = mmap(0, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	memcpy(code, loop, sizeof loop);
	__builtin___clear_cache(code, (char *)code + sizeof loop);
	if (argc > 1) {
		char name[64];
		snprintf(name, sizeof name, "/tmp/perf-%d.map", getpid());
		FILE *map = fopen(name, "w");
		fprintf(map, "%lx 4 spinning\n", (unsigned long)code);
		fclose(map);
	}
	((void (*)(void))code)();
	(void)argv;
}
C
gcc -O1 -o node spin.c && cp node someone || exit 1
for command in ./node './node mapped' ./someone; do
	echo "== $command"
	"$dtrace" $dt_flags -q -c "$command" -n 'profile-499 /pid == $target && arg1/ { @[ustack()] = count(); n++; } tick-100ms /n > 20/ { exit(0); }' >out 2>err
	map=$(grep -o 'perf-[0-9]*\.map`spinning' out | head -1)
	[ -z "$map" ] || { echo "named"; rm -f "/tmp/${map%%\`*}"; }
	sed 's/[0-9][0-9]* samples/N samples/' err
done
"$dtrace" $dt_flags -q -c ./node -n 'profile-499 /pid == $target && arg1/ { @[ustack()] = count(); @n = count(); n++; } tick-100ms /n > 20/ { exit(0); }
  END { printa("%@d\n", @n); printa(@); }' >out 2>err
[ "$(head -1 out)" = "$(sed 's/^dtrace: \([0-9]*\) samples.*/\1/' err)" ] && echo "all samples are counted"
exit 0
