#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: a stack of as many frames as ustack(n), or option maxframes, asks for has no last line, whatever there is of the next
#   frame: dtrace's own process has no table when BEGIN fires. No loss is counted for it.
# SECTION: Actions and Subroutines/ustack()
"$dtrace" $dt_flags -qn 'BEGIN { ustack(1); exit(0); }' | sed -n 's/.*`.*/a frame/p; /\[/p'
$dtrace $dt_flags -q -x maxframes=1 -x ledger=text -n 'BEGIN { ustack(); exit(0); }' 2>&1 | sed -n 's/.*`.*/a frame/p; /\[/p; /cut/p'
exit 0
