#!/bin/bash
# ASSERTION: with -C the system's headers are read as they are; their types and macros can be used.
# SECTION: Preprocessing
# @@parts
. "$(dirname "$0")/../../runner/sections.sh"
cd "$tmpdir" || exit 1
for header in sys/types.h sys/socket.h netinet/in.h sys/stat.h stdint.h errno.h signal.h stdio.h stdlib.h unistd.h string.h \
	fcntl.h pthread.h time.h linux/types.h linux/tcp.h linux/fs.h; do
	section "$header" || continue
	printf '#include <%s>\n#pragma D option quiet\nBEGIN { exit(0); }\n' "$header" >include.d
	"$dtrace" -C -s include.d >out 2>&1 || { echo "$header"; cat out; }
done
section "macros and types" || exit 0
cat >use.d <<'D'
#include <sys/stat.h>
#include <netinet/in.h>
#include "own.h"
#pragma D option quiet
pair_t pair;
BEGIN
{
	pair.a = TWICE(21); pair.b = 15; pair.c = W_TWO;
	printf("%d %d %d %s %d\n", pair.a, pair.b, pair.c, NAME, sizeof (struct sockaddr_in));
	printf("%d %d\n", S_ISDIR(0040755) != 0, IPPROTO_TCP);
#if defined(__linux) && __SUNW_D
	printf("here\n");
#endif
	exit(0);
}
D
cat >own.h <<'H'
#ifndef OWN_H
#define OWN_H
struct pair { int a; unsigned b : 4, c : 4; };
typedef struct pair pair_t;
enum what { W_ONE = 1, W_TWO };
#define TWICE(x) ((x) * 2)
#define NAME "from a header"
extern int puts(const char *s);
static int unused;
#endif
H
"$dtrace" -C -I . -s use.d
