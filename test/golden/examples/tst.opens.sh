#!/bin/bash
# ASSERTION: opens.d shows a file that is opened with its descriptor, and one that is not with its error.
. ./common.sh
cat=$(program cat)
: >"$tmpdir/there" # cat copies with an offset of its own into the file that we write to
example opens.d -c "$cat $tmpdir/there"
claim "a file that is there" grep -qE "^$name +[0-9]+ +[0-9]+ +0 $tmpdir/there$"
echo "$cat $tmpdir/missing 2>$tmpdir/said" >"$tmpdir/script"
example opens.d -c "bash $tmpdir/script"
claim "a file that is not" grep -qE "^$name +[0-9]+ +-1 +2 $tmpdir/missing$"
