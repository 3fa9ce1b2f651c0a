status 0
some rows, the last made
status 0
begin
1
some rows
end

$ dtrace -xcpu=0 -xbufpolicy=fill -qn BEGIN{printf("one\n");exit(3)} END{printf("two\n")}
one
two

status 3
$ dtrace -xcpu=0 -xbufpolicy=ring -qn BEGIN{@=count();printf("one\n");exit(3)} END{printf("two\n")}
one
two

                1
status 3
