#!/bin/bash
# ASSERTION: where the kernel does not let programs write to a process's memory, copyout() is refused in words.
# SECTION: Actions and subroutines/Destructive actions
"$dtrace" -wqn 'BEGIN { copyout(alloca(4), uregs[R_SP], 0); exit(0); }'
"$dtrace" -wqn 'BEGIN { copyoutstr("x", uregs[R_SP], 0); exit(0); }'
exit 0
