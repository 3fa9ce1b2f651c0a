#!/bin/bash
# ASSERTION: a comparison of argN that is an int with a constant above 0x7fffffff is reported when compiled, because the
# argument's sign is extended to 64 bits; other comparisons are not.
# SECTION: syscall provider
. "$(dirname "$0")/../../runner/show.sh"
run -en 'syscall::close:entry /arg0 == 0xffffffff/ { }'
run -en 'syscall::close:entry /-2u <= arg0/ { }'
run -en 'syscall::close:entry /arg0 == -1 || (uint_t)arg0 == 0xffffffff || arg0 == 3/ { }'
run -en 'syscall::read:entry /arg1 == 0xffffffff || arg2 > 0x80000000/ { }'
run -en 'syscall:::entry /arg0 == 0xffffffff/ { }'
