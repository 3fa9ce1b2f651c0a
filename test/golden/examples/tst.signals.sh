#!/bin/bash
# ASSERTION: signals.d shows a signal from one process to another.
. ./common.sh
program sleep >/dev/null
example signals.d -c "$(workload <<END
exec 2>$tmpdir/said
$tmpdir/$name 60 &
until [ "\$(cat /proc/\$!/comm)" = $name ]; do :; done
echo "\$\$ \$!" >$tmpdir/pids
kill -USR1 \$!
wait
END
)"
read -r from to <"$tmpdir/pids"
claim "sender, receiver, number" grep -qE "^bash +$from -> $name +$to +10$"
