#!/bin/bash
# ASSERTION: execs.d shows each start of a program, with its parent and its file.
. ./common.sh
program true >/dev/null
example execs.d -c "$(workload <<END
$tmpdir/$name
$tmpdir/$name
echo \$\$ >$tmpdir/parent
END
)"
parent=$(cat "$tmpdir/parent")
claim "two starts" [ "$(grep -cE " $parent $name +$tmpdir/$name$" "$out")" = 2 ]
