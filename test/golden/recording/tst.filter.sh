#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: -x recordfilter keeps the firings that some predicate lets through, and all firings where a variable decides;
#   an exit() that nothing decides about ends a recording, and so does -T.
# SECTION: Recordings    @@timeout: 60    @@tags: userland
cd "$tmpdir" || exit 1
count() { "$dtrace" -q --replay "$1" -n "$2 { @ = count(); } END { printa(\"%@d\n\", @); }"; }
load='dd if=/dev/zero of=/dev/null bs=1 count=50 status=none'
"$dtrace" -q --record all.rec -n 'syscall::write:entry /arg0 == 1 && pid == $target/ { trace(arg2); }' -c "$load"
"$dtrace" -q --record some.rec -x recordfilter -n 'syscall::write:entry /arg0 == 1 && pid == $target/ { trace(arg2); }' -c "$load"
"$dtrace" -q --record open.rec -x recordfilter -n 'int wanted; syscall::write:entry /wanted/ { trace(arg2); }' -c "$load"
echo "some $(count some.rec syscall::write:entry)"
[ "$(count all.rec syscall::write:entry)" -ge 50 ] && echo "all: more or as many"
[ "$(count open.rec syscall::write:entry)" -ge 50 ] && echo "a variable decides: more or as many"
"$dtrace" -q --record exit.rec -n 'tick-10ms { trace(pid); exit(3); }'
echo "status $? rows $(count exit.rec tick-10ms)"
"$dtrace" -q --record duration.rec -T 200ms -n 'tick-10ms { trace(pid); }'
echo "status $?"
[ "$(count duration.rec tick-10ms)" -ge 5 ] && echo "rows until the end"
