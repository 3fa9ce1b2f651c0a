$ dtrace -n BEGIN{trace(1)} BEGIN{trace("x");exit(0)}
                   FUNCTION:NAME
                          :BEGIN           1
                          :BEGIN   x                                

! dtrace: description 'BEGIN' matched 2 probes
status 0
$ dtrace -Fn BEGIN{trace(1);exit(0)}
FUNCTION                                 
| :BEGIN                                            1

! dtrace: description 'BEGIN' matched 1 probe
status 0
$ dtrace -Fqn BEGIN{trace(1);exit(0)}
FUNCTION                                 
| :BEGIN                                  1
status 0
$ dtrace -qb 64t -n BEGIN{exit(0)}

status 0
begin
end

status 0
