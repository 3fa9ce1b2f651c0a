#!/bin/bash
# ASSERTION: netsizes.d counts a hundred packets over the loopback device, as sent and as received.
. ./common.sh
example netsizes.d -c "$(workload <<'END'
exec 3>/dev/udp/127.0.0.1/9
for i in {1..100}; do echo "packet $i" >&3; done 2>/dev/null
exit 0
END
)"
claim "sent" awk '$1 == "lo" && $2 == "sent" && $3 >= 50 { found = 1 } END { exit !found }'
claim "received" awk '$1 == "lo" && $2 == "received" && $3 >= 50 { found = 1 } END { exit !found }'
claim "sizes" grep -qE '^ +lo +sent'
