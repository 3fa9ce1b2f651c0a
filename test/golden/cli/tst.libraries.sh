#!/bin/bash
# ASSERTION: library directories come in order; syslibdir replaces the first; nolibs leaves only the language; a bad
# declaration harms only a program that uses it; a clause, or a definition without its `;`, is an error for all programs;
#   so is wrong syntax in a directory of option libdir.
# SECTION: Command line, 28
# @@tags: userland
. "$(dirname "$0")/../../runner/show.sh"
mkdir one two
echo 'inline int ONE = 77;' >one/one.d
printf '#pragma D depends_on library one.d\ninline int MORE = ONE + 1;\n' >one/more.d
echo 'inline int TWO = 2;' >two/two.d
echo 'inline int BAD = nosuchname;' >two/bad.d
printf '#pragma D depends_on provider nosuchprovider\ninline int SKIPPED = 1;\n' >two/skipped.d
echo 'inline int HIDDEN = 1;' >two/.hidden.d
run -L one -qn 'BEGIN{printf("%d %d", ONE, SIGKILL);exit(0)}'
run -xlibdir=one -L two -qn 'BEGIN{trace(MORE+TWO);exit(0)}'
run -xsyslibdir=one -qn 'BEGIN{trace(MORE);exit(0)}'
run -xsyslibdir=one -qn 'BEGIN{trace(SIGKILL);exit(0)}'
run -xnolibs -qn 'BEGIN{trace(pid == $pid);exit(0)}'
run -xnolibs -qn 'BEGIN{trace(SIGKILL);exit(0)}'
run -L two -qn 'BEGIN{trace(BAD);exit(0)}'
run -L two -qn 'BEGIN{trace(SKIPPED);exit(0)}'
run -L two -qn 'BEGIN{trace(HIDDEN);exit(0)}'
run -L nosuchdirectory -qn 'BEGIN{trace(1);exit(0)}'
mkdir clause provider syntax
printf 'inline int FINE = 1;\nBEGIN\n{\n\ttrace(1);\n}\n' >clause/c.d
printf 'provider shop {\n\tprobe order(int);\n}\ninline int FINE = 1;\n' >provider/p.d
run -L clause -qn 'BEGIN{exit(0)}'
run -L provider -qn 'BEGIN{exit(0)}'
run -qs provider/p.d
run -h -s provider/p.d -o shop.h
printf 'inline int GOOD = 1;\ntypedef struct s {\n\tint a\n} s_t;\n#pragma D option quiet\n' >syntax/s.d
run -L syntax -n 'BEGIN{exit(0)}'
run -L syntax -xerrtags -qn 'BEGIN{exit(0)}'
run -xsyslibdir=syntax -qn 'BEGIN{exit(0)}'
printf '#pragma D option quiet\ntypedef late_t early_t;\n' >one/early.d
printf 'typedef int late_t;\n' >one/late.d
"$dtrace" -L one -n 'BEGIN{exit(0)}' 2>&1 | grep -c ':BEGIN' # not quiet, as no program uses early_t
