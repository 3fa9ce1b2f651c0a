#!/bin/bash
# ASSERTION: the exit status is exit()'s low byte, 0 without, 1 when nothing was enabled.
# SECTION: Command line, 8
# @@tags: userland
. "$(dirname "$0")/../../runner/show.sh"
run -qn 'BEGIN{exit(0)}'
run -qn 'BEGIN{exit(3)}'
run -qn 'BEGIN{exit(263)}'
run -qn 'BEGIN{trace("hi");exit(0)}'
run -qn 'BEGIN{exit(2)} END{exit(5)}'
run -q
run -n nosuch
run -xcpu=0 -Z -n nosuch -n 'BEGIN{exit(4)}'
run -x quiet operand
