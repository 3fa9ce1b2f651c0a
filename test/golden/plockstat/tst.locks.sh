#!/bin/bash
# ASSERTION: For each lock that a program takes, waits for, fails to get and gives back, the thread that does so fires the probes
#   of plockstat in that order, with the lock, whether it is a writer's, whether it was got, and the error.
# SECTION: Providers, 15
# @@timeout: 60      @@tags: long
script='{ printf("event %d %d %s %p %d %d\n", timestamp, tid, probename, arg0, arg1, arg2); }'
ordered() {
	awk '
	$1 == "lock" { lock[$3] = $2 }
	$1 == "thread" { thread[$3] = $2 }
	$1 == "event" { events[++n] = $0 }
	END {
		for (i = 1; i <= n; i++) {
			split(events[i], f, " ");
			if (f[5] !~ /^0x/) f[5] = "0x" f[5];
			# The library locks itself, too.
			if (!(f[5] in lock) || !(f[3] in thread)) continue;
			number = f[6] (f[4] ~ /^(mutex-spun|rw-blocked|rw-error)$/ ? " " (f[4] == "mutex-spun" ? f[7] >= 0 : f[7]) : "");
			if (f[4] ~ /^mutex-(block|spin)$/) number = "";
			if (f[4] == "mutex-acquire") number = f[6]; # spins depend on the moment
			print f[2], thread[f[3]], f[4], lock[f[5]], number;
		}
	}' | sort -s -n -k 1,1 | cut -d ' ' -f 2- | sed 's/ *$//' |
		awk '{ if (!($1 in lines)) order[++n] = $1; lines[$1] = lines[$1] "  " $2 " " $3 ($4 == "" ? "" : " " $4) ($5 == "" ? "" : " " $5) "\n" }
		END { for (i = 1; i <= n; i++) printf("%s:\n%s", order[i], lines[order[i]]) }'
}
echo "== one process"
"$dtrace" -q -n "plockstat\$target::: $script" -c "$triggers/plocks" 2>"$tmpdir/err" | ordered
cat "$tmpdir/err"
echo "== all processes"
# A return that is a jump to another function says nothing, so robust and timed locks are not seen to be got.
"$dtrace" -q -n "plockstat*:::/pid == \$target/ $script" -c "$triggers/plocks" 2>/dev/null | ordered |
	awk '/^[a-z]/ { here = /^(plain|adaptive|reader|writer|condition):/ } here && !/rw-error|mutex-error/'
