#!/bin/bash
# ASSERTION: fill ends tracing by itself with what came first; ring keeps what came last; both print at the end only.
# SECTION: Options, 18
. "$(dirname "$0")/../../runner/show.sh"
"$dtrace" -xcpu=0 -xbufpolicy=ring -b 512 -qn 'BEGIN{printf("begin\n")} tick-1ms{printf("%d\n", ++n)} tick-1ms/n == 200/{exit(0)}' >out
echo "status $?"
awk '/begin/ { print "too old" } NF { if (last && $1 != last + 1) print "gap before", $1; last = $1; n++ } END { print (n < 200 && n > 0) ? "some" : n, "rows, the last", last }' out
"$dtrace" -xcpu=0 -xbufpolicy=fill -b 512 -qn 'BEGIN{printf("begin\n")} tick-1ms{printf("%d\n", ++n)} END{printf("end\n")}' >out
echo "status $?"
head -2 out
awk '/^[0-9]/ { if ($1 != ++n) print "gap before", $1 } END { print (n > 0 && n < 512) ? "some rows" : n }' out
tail -2 out
run -xcpu=0 -xbufpolicy=fill -qn 'BEGIN{printf("one\n");exit(3)} END{printf("two\n")}'
run -xcpu=0 -xbufpolicy=ring -qn 'BEGIN{@=count();printf("one\n");exit(3)} END{printf("two\n")}'
