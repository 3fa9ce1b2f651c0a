#!/bin/bash
# ASSERTION: bufpolicy=fill ends tracing when a CPU's buffer is full and says so; what was recorded first is there without
#   gaps, then END's records; nothing is printed before.
# SECTION: Options, 18
# @@timeout: 60
. "$(dirname "$0")/../../runner/show.sh"
"$dtrace" -xcpu=0 -xbufpolicy=fill -b 16k -qn 'BEGIN{printf("begin\n")} profile-5000hz{printf("%d\n", ++n)} END{printf("end\n")}' >out 2>err
echo "status $?"
head -1 out
awk '/^[0-9]/ { if ($1 != ++n) print "gap before", $1 } END { print (n > 300 && n < 700) ? "a buffer full" : n }' out
grep -A1 end out
cat err
"$dtrace" -xcpu=0 -xbufpolicy=fill -b 4k -n 'profile-5000hz{}' 2>&1 >/dev/null
"$dtrace" -xbufpolicy=fill -b 64k -qn 'BEGIN{printf("first\n");} tick-100ms{printf("tick\n");} tick-100ms/++n == 3/{exit(2);} END{printf("end\n");}'
echo "status $?"
# With speculations.
run -qxbufpolicy=fill -n 'BEGIN{self->s = speculation()} BEGIN{speculate(self->s); printf("kept\n")} BEGIN{commit(self->s)} BEGIN{exit(0)}'
