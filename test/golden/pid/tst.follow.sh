#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: -x follow=fork: probes of pid$target fire in the children of the target by fork, vfork and exec, and in their
# children, from their first instruction on; also in what they load or become later. `pid` is the process that fires.
# Without the option they fire in the target.
dtrace=$1
count='pid$target:families:member:entry { @[arg0, pid] = count(); }
  pid$target:families:member:return { @r = count(); }
  pid$target:libm:cbrt:entry { @l[pid] = count(); }
  END { printa("%d %d %@d\n", @); printa("returns %@d\n", @r); printa("libm %d %@d\n", @l); }'
# Numbers of processes become the kinds that the program has written down.
run() {
  rm -f "$tmpdir/kinds"
  "$dtrace" $dt_flags -qZ -n "$count" "$@" >"$tmpdir/raw" 2>&1
  awk -v kinds="$tmpdir/kinds" '
    BEGIN { while ((getline line <kinds) > 0) { split(line, word); kind[word[2]] = word[1] } }
    { for (i = 2; i <= NF; i++) if ($i in kind) $i = "process-" kind[$i]; print }' "$tmpdir/raw" | grep . | sort
}
echo "== followed"
run -x follow=fork -c "$triggers/families $tmpdir/kinds"
echo "== the default"
run -c "$triggers/families $tmpdir/kinds"
echo "== children that become the program"
run -x follow=fork -c "sh -c '$triggers/families $tmpdir/kinds; $triggers/families $tmpdir/kinds'" |
  awk '$1 == "libm" { cbrt += $3; next } $1 !~ /^[0-4]$/ { print; next } { sum[$1] += $3 }
    END { for (kind = 0; kind < 5; kind++) print kind, sum[kind]; print "libm", cbrt }'
exit 0
