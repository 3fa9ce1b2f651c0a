#!/bin/bash
# ASSERTION: a stack of as many frames as ustack(n) asks for has no last line, whatever there is of the next frame: dtrace's own
#   process has no table when BEGIN fires.
# SECTION: Actions and Subroutines/ustack()
"$dtrace" $dt_flags -qn 'BEGIN { ustack(1); exit(0); }' | sed -n 's/.*`.*/a frame/p; /\[/p'
exit 0
