status 0
end 300000
a buffer full the last 300000
status 0
some late
$ dtrace -xcpu=0 -qxbufpolicy=ring -b 4k -n BEGIN{printf("begin\n")} BEGIN{@ = sum(3); trace(*(int *)0)} BEGIN{printf("second\n")} tick-1ms{printf("tick\n");exit(4)} END{printf("end\n")}
begin
second
tick
end

                3
! dtrace: error in dt_clause_1 for probe ID 1 (dtrace:::BEGIN): invalid address (0x0)
status 4
$ dtrace -xcpu=0 -qxbufpolicy=ring -n BEGIN{this->s = strjoin("a", "b"); if (pid == 1) { printf("one\n"); } else { printf("%s %d\n", this->s, pid == $pid); } print(this->s); exit(0)}
ab 1
string "ab"
status 0
$ dtrace -xcpu=0 -xbufpolicy=ring -Fn BEGIN{trace(1)} BEGIN{trace(2)} END{trace(3)} BEGIN{exit(0)}
CPU FUNCTION                                 
  0 | :BEGIN                                            1
  0 | :BEGIN                                            2
  0 | :BEGIN                                  
  0 | :END                                              3

! dtrace: description 'BEGIN' matched 4 probes
status 0
many
