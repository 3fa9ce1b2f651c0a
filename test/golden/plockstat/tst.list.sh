#!/bin/bash
# ASSERTION: A process with the C library has the probes of plockstat; one without it has none, and the message says why.
# SECTION: Providers, 15
"$dtrace" -l -P 'plockstat$target' -c true | awk 'NR > 1 { sub(/[0-9]+$/, "N", $2); print $2, $3, $NF }'
cat >"$tmpdir/bare.c" <<'END'
int main(void) { for (;;) ; }
END
cc -static -O1 -o "$tmpdir/bare" "$tmpdir/bare.c"
"$tmpdir/bare" &
pid=$!
"$dtrace" -n "plockstat$pid:::mutex-block" 2>&1 | sed "s/$pid/PID/g" | grep -v "\\^~"
kill $pid
"$dtrace" -xerrtags -n 'plockstat0:::mutex-block' 2>&1
"$dtrace" -n 'plockstat$target:::mutex-lock' -c true 2>&1 | sed 's/plockstat[0-9]\+/plockstatPID/g'
"$dtrace" -n 'plockstat:::mutex-block' 2>&1
exit 0
