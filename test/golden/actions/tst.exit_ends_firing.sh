#!/bin/bash
# ASSERTION: exit() ends the firing: its clause goes on, later clauses of the firing do not run, END's do. The first exit()
# counts, that of ERROR too; END's own exit() only if there was none.
# SECTION: Actions and subroutines/exit
. "$(dirname "$0")/../../runner/show.sh"
run -qn 'BEGIN{exit(0)} BEGIN{trace("x");exit(3)}'
run -qn 'BEGIN{exit(1);trace("same clause")}'
run -qn 'BEGIN{exit(1);exit(2)}'
run -qn 'BEGIN{if(pid!=0){exit(4);}else{exit(5);} } BEGIN{trace("later")} END{printf("end 1\n")} END{printf("end 2\n")}'
run -qn 'BEGIN{if(pid==0){exit(4);} trace("first");} BEGIN{trace(" second");exit(6)}'
run -qn 'tick-10ms{i++} tick-10ms/i==3/{exit(0)} tick-10ms{@=count()}'
run -qn 'tick-10ms{exit(0)} tick-10ms{printf("later")} END{exit(7)} END{printf("after\n")}'
run -qn 'BEGIN{trace(*(int*)0)} ERROR{exit(4)} BEGIN{trace("later");exit(5)}'
run -qn 'BEGIN{trace(*(int*)0)} ERROR{exit(4)} ERROR{printf("second handler\n")} BEGIN{exit(5)}'
