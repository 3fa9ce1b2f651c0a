#!/bin/bash
# ASSERTION: $N is a name, a number or a string by its text, $$N a string; the process's own ids; macros in descriptions;
#   arguments that are missing, too large or not used.
# SECTION: Variables/Macro variables and arguments
cd "$tmpdir" || exit 1
run() { "$dtrace" -xerrtags "$@" 2>&1; }
cat >a.d <<'D'
#pragma D option quiet
BEGIN
{
	foo = 4;
	printf("%d %s %d %x %d %d\n", $1, $$1, $2, $3, $4, sizeof ($5));
	printf("%s|%s|%s|%d\n", $6, $$6, $$7, sizeof ($8));
	printf("%d %d %d %d %d %d\n", $pid == pid, $ppid == ppid, $uid == uid, $gid == gid, $euid, $egid);
	printf("%d %d %s %d\n", $pgid >= 0, $sid >= 0, $0, $$pid == lltostr(pid));
	exit(0);
}
D
run -s a.d foo +7 0x1f 010 5UL 'a b' 'tab\there' int
echo 'BEGIN { printf("[%s][%s]\n", $1, $$2); exit(0); }' >b.d
run -qs b.d '"quoted"' ''
run -qs b.d - 'self->x'
run -qs b.d one | sed 's/line [0-9]*: //'
run -qs b.d one two three
run -qxargref -s b.d one two three
run -qxdefaultargs -n 'BEGIN { printf("%d [%s] %d\n", $1, $$1, $2); exit(0); }'
run -qn 'BEGIN { trace($1); }' 99999999999999999999
run -qn 'BEGIN { trace($1); exit(0); }' 18446744073709551615
run -qn 'BEGIN { trace($nosuch); }'
run -qn '$1:::$2 { printf("matched\n"); exit(0); }' dtrace BEGIN
run -qn 'd$1*:::BEG$$2 { printf("glued\n"); exit(0); }' trac IN
run -qn 'tick-$1ms { printf("tick\n"); exit(0); }' 3
run -n '$nosuch:::BEGIN { }'
run -n '$1:::BEGIN { }' a:b
run -qn 'BEGIN { trace($target); trace($$target); exit(0); }'
run -qn 'BEGIN /pid == $target/ { trace("never"); } BEGIN { exit(0); }'
run -qn 'python$target:::* { }'
run -qxdefaultargs -n 'BEGIN { printf("%d\n", $target); exit(0); }'
run -qc true -n 'BEGIN { printf("%d %d\n", $target > 0, $target != pid); }'
