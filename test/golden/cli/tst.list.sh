#!/bin/bash
# ASSERTION: -l prints a header and rows in order of ids, per description; what does not match is said and is no error.
# SECTION: Command line, 6.2
. "$(dirname "$0")/../../runner/show.sh"
run -l -n BEGIN -n END
run -l -n nosuch
run -l -n 'BEGIN{trace(1)} BEGIN{trace(2)} END' -n BEGIN -n no:such:probe:here
run -l -n 'END,BEGIN'
run -l -n 'BEGIN{trace(nosuchname)}'
run -l -o list -n BEGIN
run -l -o list -n END
cat list
run -lv -n dtrace:::BEGIN
run -lv -n syscall::write:entry | sed 's/^ *[0-9][0-9]*  */N /'

# Alone it lists everything, by id, each id once.
"$dtrace" -l >all
head -4 all
awk 'NR > 1 { if ($1 <= last) print "out of order:", $0; last = $1 }' all
# Not every kernel lets its functions be probed.
awk 'NR > 1 && $2 !~ /(fbt|[0-9])$/ { print $2 }' all | sort -u | tr '\n' ' '
echo
"$dtrace" -l 2>&1 >/dev/full
echo "status $?"
