commit(s): status 0: in it a buffer was free: 1
record: ring buffer full
discard(s): status 0: a buffer was free: 1
record: ring buffer full
if(pid!=0){commit(s)}: status 0: in it a buffer was free: 1
record: ring buffer full
this->id=s;commit(this->id): status 0: in it a buffer was free: 1
record: ring buffer full
