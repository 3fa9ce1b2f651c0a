#!/bin/bash
# ASSERTION: an error says where it is: the line of the script, as #line directives have it; nothing or the part of the
#   clause for text of the command line; the tag only when asked for.
# SECTION: Compile-time errors/Form of an error line
cd "$tmpdir" || exit 1
script() {
	cat >x.d
	"$dtrace" "$@" -es x.d 2>&1 | head -1
}
script <<'D'

BEGIN
{
	x = 1;
	nosuch;
}
D
script -xerrtags <<'D'
BEGIN { trace("open
"); }
D
script -xerrtags <<'D'
#!/usr/sbin/dtrace -s
/* two
   lines */ BEGIN { trace(1 } 
D
script <<'D'
#line 100
BEGIN { nosuch; }
D
script <<'D'
# 7 "other.d"
BEGIN
{ nosuch; }
D
script <<'D'
# 1 "own.h" 1 3 4
int x;
# 5 "x.d" 2
BEGIN { nosuch; }
D
for text in 'BEGIN { nosuch; }' 'BEGIN /nosuch/ { }' 'int x; string x;' 'BEGIN { trace(1 }' 'BEGIN { "open }' 'a:b:c:d:e'; do
	"$dtrace" -en "$text" 2>&1 | head -1
	"$dtrace" -xerrtags -en "$text" 2>&1 | head -1
done
"$dtrace" -em 'a:b:c' 2>&1
"$dtrace" -eP 'a:b' 2>&1
"$dtrace" -ei x 2>&1
true
