status 0
begin
a buffer full
end

dtrace: description 'profile-5000hz' matched 1 probe
dtrace: buffer of CPU 0 is full
first
tick
tick
tick
end

status 2
$ dtrace -qxbufpolicy=fill -n BEGIN{self->s = speculation()} BEGIN{speculate(self->s); printf("kept\n")} BEGIN{commit(self->s)} BEGIN{exit(0)}
kept

status 0
