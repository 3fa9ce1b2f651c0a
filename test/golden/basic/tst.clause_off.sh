#!/bin/bash
# ASSERTION: a clause whose predicate is 0 by its constants, as that of an option that is off, costs its probes nothing: they are
#   not attached. What comes before the constant has its effects, and what the clause names exists.
# links PROGRAM: how many links to the kernel dtrace has while the program runs.
links() {
	: >"$tmpdir/out"
	"$dtrace" -qn "BEGIN { printf(\"ready\\n\"); } $1" >"$tmpdir/out" 2>&1 &
	local tracer=$!
	until grep -q ready "$tmpdir/out" || ! kill -0 $tracer; do sleep 0.05; done
	cat /proc/$tracer/fdinfo/* 2>/dev/null | grep -c '^link_type:'
	kill -INT $tracer
	wait $tracer
}
own=$(links '')
# more PROGRAM: 1 if it has more than dtrace has for itself.
more() { [ "$(links "$1")" -gt "$own" ] && echo 1 || echo 0; }
echo "on: $(more 'inline int on = 1; syscall:::entry /on && pid == 1/ { @ = count(); }')"
echo "off: $(more 'inline int on = 0; syscall:::entry /on && pid == 1/ { @ = count(); }')"
echo "off behind a constant: $(more 'inline int on = 0; syscall:::entry /!on && on && pid == 1/ { @ = count(); }')"
"$dtrace" -qn 'BEGIN /x++ && 0/ { @a = count(); y = 7; } BEGIN /0/ { printf("never\n"); } BEGIN { printf("%d %d\n", x, y); printa(@a); exit(0); }'
