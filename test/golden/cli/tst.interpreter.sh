#!/bin/bash
# ASSERTION: "#!" scripts run with bundled flags ending in s; $0 is the script, the line counts as line 1.
# SECTION: Command line, 11
# @@tags: userland
. "$(dirname "$0")/../../runner/show.sh"
script() { # FLAGS: the rest of a script from stdin, as ./script
	{ echo "#!$dtrace $1"; cat; } >script
	chmod +x script
}
script -qs <<'D'
BEGIN { printf("%s|%d|%s|%d\n", $0, $1, $$2, $ppid > 0); exit(0); }
D
./script 5 'hello there'; echo "status $?"
script -Cs <<'D'
#define X 42
#pragma D option quiet
BEGIN { printf("%d %d\n", X, __LINE__); exit(X); }
D
./script 2>&1; echo "status $?"
script -s <<'D'
#pragma D option quiet
BEGIN { printf("%d\n", 0 == $1); exit($1 == 0); }
END { printf("end\n"); }
D
./script 0; echo "status $?"
script -s <<'D'

BEGIN { nosuch(); }
D
./script 2>&1; echo "status $?"
script -wqs <<'D'
BEGIN { system("echo from the shell"); exit(0); }
D
./script 2>&1; echo "status $?"
echo 'BEGIN{exit(6)}' | "$dtrace" -q -s /dev/stdin; echo "status $?"
printf '\xef\xbb\xbfBEGIN{exit(7)}\n' >marked.d
"$dtrace" -qs marked.d; echo "status $?"
run -s /dev/null
run -s -
run -s nosuch.d
