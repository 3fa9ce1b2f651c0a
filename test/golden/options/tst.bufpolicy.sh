#!/bin/bash
# ASSERTION: fill ends tracing by itself with what came first; ring keeps what came last; both print at the end only.
# SECTION: Options, 18
. "$(dirname "$0")/../../runner/show.sh"
# More than fit into the least that a buffer has, a page.
made=$((200 * $(getconf PAGESIZE) / 4096))
"$dtrace" -xcpu=0 -xbufpolicy=ring -b 512 -qn 'BEGIN{printf("begin\n")} tick-1ms{printf("%d\n", ++n)} tick-1ms/n == '$made'/{exit(0)}' >out
echo "status $?"
awk -v made=$made '/begin/ { print "too old" } NF { if (last && $1 != last + 1) print "gap before", $1; last = $1; n++ }
  END { print (n < made && n > 0) ? "some" : n, "rows, the last", last == made ? "made" : last }' out
"$dtrace" -xcpu=0 -xbufpolicy=fill -b 512 -qn 'BEGIN{printf("begin\n")} tick-1ms{printf("%d\n", ++n)} END{printf("end\n")}' >out
echo "status $?"
head -2 out
awk '/^[0-9]/ { if ($1 != ++n) print "gap before", $1 } END { print (n > 0 && n < 8192) ? "some rows" : n }' out
tail -2 out
run -xcpu=0 -xbufpolicy=fill -qn 'BEGIN{printf("one\n");exit(3)} END{printf("two\n")}'
run -xcpu=0 -xbufpolicy=ring -qn 'BEGIN{@=count();printf("one\n");exit(3)} END{printf("two\n")}'
