#!/bin/bash
# ASSERTION: a commit or discard whose record has no room takes effect all the same, and its buffer is free again: the only
# one that there is serves the rest of the run.
# SECTION: Speculation
. "$(dirname "$0")/../../runner/show.sh"
# BEGIN's records stay in the ring until all its clauses have run: these leave no room for another one. They are to have been
# taken out when the ticks record.
fill=$(for i in $(seq 400); do echo 'BEGIN{trace(7)}'; done)
for settle in 'commit(s)' 'discard(s)' 'if(pid!=0){commit(s)}' 'this->id=s;commit(this->id)'; do
	"$dtrace" -xcpu=0 -xbufsize=8k -xledger=text -qn "
BEGIN { s = speculation(); }
BEGIN { speculate(s); printf(\"in it \"); }
$fill
BEGIN { $settle; }
tick-10ms /++n > 30/ { t = speculation(); }
tick-10ms /n > 30/ { speculate(t); printf(\"a buffer was free: %d\n\", t != 0); }
tick-10ms /n > 30/ { commit(t); }
tick-10ms /n > 30/ { exit(0); }" >out 2>err
	echo "$settle: status $?: $(tr -d '7\n' <out)"
	grep -o 'record: ring buffer full' err | sort -u
done
