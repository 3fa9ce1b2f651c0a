#!/bin/bash
# ASSERTION: -C runs cpp with -D -U -I -H -X and the predefined names; its failures are ours.
# SECTION: Command line, 12
# @@tags: userland
. "$(dirname "$0")/../../runner/show.sh"
mkdir inc
echo '#define Y 8' >inc/y.h
printf '#include <y.h>\n#pragma D option quiet\nBEGIN{printf("%%d %%d\\n", Y, Z); exit(0);}\n' >y.d
printf '#pragma D option quiet\nBEGIN{printf("%%d %%d\\n", A, B); exit(0);}\n' >ab.d
printf '#pragma D option quiet\nBEGIN{printf("%%d %%d %%d %%d\\n", __linux, __unix, __SVR4, __SUNW_D); exit(0);}\n' >pre.d
printf '#ifdef __sun\n#error sun\n#endif\n#ifdef __STDC__\nBEGIN{trace("stdc");}\n#endif\nBEGIN{exit(0)}\n' >std.d
printf '#include <nosuch.h>\nBEGIN{exit(0);}\n' >no.d
printf '#define BAD nosuchname\n\nBEGIN{trace(BAD);}\n' >bad.d
run -C -D A -DB=3 -s ab.d
run -C -DA=1 -DB=3 -U A -s ab.d
run -C -xdefine=A=4 -xdefine=B=5 -s ab.d
run -C -I inc -DZ=2 -s y.d
run -C -H -I inc -DZ=2 -s y.d | grep -v 'include guards\|! inc'
run -C -s y.d | grep -v '^! .*cpp\|compilation terminated'
run -C -s pre.d
run -q -C -Xa -s std.d
run -q -C -Xs -s std.d
run -C -Xq -s std.d
run -C -s bad.d
run -C -xcpppath=/nonexistent/cpp -s ab.d
run -C -s no.d
run -s ab.d
# The version of the language is what -V prints.
printf '#pragma D option quiet\nBEGIN{printf("dtrace: D %%d.%%d.%%d\\n", V >> 24, V >> 12 & 0xfff, V & 0xfff); exit(0);}\n' >version.d
[ "$("$dtrace" -C -D V=__SUNW_D_VERSION -s version.d)" = "$("$dtrace" -V | head -1)" ] && echo "one version"
