#!/bin/sh
# ASSERTION: -C with macros, conditions and files to include, -D and -I; a script that begins with #!... -Cs.
mkdir $tmpdir/inc
cat > $tmpdir/inc/limits_of_ours.h <<'END'
#ifndef OURS
#define OURS 1
#define SLOW_NS (2 * 1000)
#define MAX(a, b) ((a) > (b) ? (a) : (b))
struct pair { int first; int second; };
#endif
END
cat > $tmpdir/calls.d <<'END'
#!/usr/sbin/dtrace -Cs
#include "limits_of_ours.h"
#include <limits_of_ours.h>
#define PROBE(f) syscall::f:entry
#ifndef LEVEL
#define LEVEL 0
#endif

#pragma D option quiet

dtrace:::BEGIN
{
	printf("%d %d %d\n", SLOW_NS, MAX(3, 7), LEVEL);
	this->p = (struct pair *)alloca(sizeof (struct pair));
	this->p->first = 4;
	this->p->second = MAX(this->p->first, 2);
	printf("%d %d\n", this->p->first, this->p->second);
#if LEVEL > 1
	printf("level above 1\n");
#else
	printf("level not above 1\n");
#endif
}

PROBE(lseek)
/pid == $target/
{
	@ = count();
}

dtrace:::END { printa("%@d\n", @); }
END
$dtrace -C -I $tmpdir/inc -s $tmpdir/calls.d -c "$triggers/syscalls 4"
$dtrace -C -D LEVEL=2 -I$tmpdir/inc -s $tmpdir/calls.d -c "$triggers/syscalls 6"
