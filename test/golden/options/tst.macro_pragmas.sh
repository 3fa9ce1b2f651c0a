#!/bin/bash
# ASSERTION: defaultargs and argref as pragmas: missing $N is 0 and $$N is "", an operand may go unused.
# SECTION: Options, 15
. "$(dirname "$0")/../../runner/show.sh"
printf '#pragma D option quiet\n#pragma D option defaultargs\nBEGIN { printf("%%d [%%s]\\n", $1, $$2); exit(0); }\n' >default.d
printf '#pragma D option quiet\n#pragma D option argref\nBEGIN { printf("unused"); exit(0); }\n' >unused.d
printf '#pragma D option quiet\nBEGIN { printf("%%d", $1); exit(0); }\n' >plain.d
run -s default.d
run -s default.d 7
run -s default.d 7 'a b'
run -s unused.d 1 2
run -xerrtags -s plain.d
run -xerrtags -s plain.d 1 2
