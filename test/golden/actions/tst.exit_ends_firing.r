$ dtrace -qn BEGIN{exit(0)} BEGIN{trace("x");exit(3)}

status 0
$ dtrace -qn BEGIN{exit(1);trace("same clause")}
same clause
status 1
$ dtrace -qn BEGIN{exit(1);exit(2)}

status 1
$ dtrace -qn BEGIN{if(pid!=0){exit(4);}else{exit(5);} } BEGIN{trace("later")} END{printf("end 1\n")} END{printf("end 2\n")}
end 1
end 2

status 4
$ dtrace -qn BEGIN{if(pid==0){exit(4);} trace("first");} BEGIN{trace(" second");exit(6)}
first second
status 6
$ dtrace -qn tick-10ms{i++} tick-10ms/i==3/{exit(0)} tick-10ms{@=count()}

                2
status 0
$ dtrace -qn tick-10ms{exit(0)} tick-10ms{printf("later")} END{exit(7)} END{printf("after\n")}
after

status 0
$ dtrace -qn BEGIN{trace(*(int*)0)} ERROR{exit(4)} BEGIN{trace("later");exit(5)}

! dtrace: error in dt_clause_0 for probe ID 1 (dtrace:::BEGIN): invalid address (0x0)
status 4
$ dtrace -qn BEGIN{trace(*(int*)0)} ERROR{exit(4)} ERROR{printf("second handler\n")} BEGIN{exit(5)}
second handler

! dtrace: error in dt_clause_0 for probe ID 1 (dtrace:::BEGIN): invalid address (0x0)
status 4
