#!/bin/bash
# ASSERTION: keys whose texts have any length are found again, and are not one though one begins as the other: with a number
#   before the text, with one behind it, and with two texts.
# SECTION: Aggregations, 2
cd "$tmpdir" || exit 1
cat >calls.py <<'PYTHON'
import os

for _ in range(2):
    for length in range(301):
        try:
            os.sched_get_priority_max(length)
        except OSError:
            pass
PYTHON
text=$(python3 -c 'print("".join(chr(97 + (i * 7 + i // 26) % 26) for i in range(300)))')
"$dtrace" $dt_flags -q -xstrsize=512 -c 'python3 calls.py' -n '
syscall::sched_get_priority_max:entry /pid == $target/
{
	this->text = substr("'$text'", 0, arg0);
	@before[(int)arg0, this->text] = count();
	@behind[this->text, (int)arg0 & 7] = count();
	@two[this->text, arg0 < 150 ? this->text : "same"] = count();
}
END
{
	printa("before %d %s %@d\n", @before);
	printa("behind %s %d %@d\n", @behind);
	printa("two %s %s %@d\n", @two);
}' >all 2>&1
for name in before behind two; do
	awk -v name=$name '$1 == name { n++; twice += $NF == 2 } END { print name, n + 0, "keys,", twice + 0, "of them twice" }' all
done
awk '$1 == "before" { wrong += length($3) != $2 && NF == 4; n[NF]++ } END { print wrong + 0, "of a wrong length,", n[3], "empty" }' all
grep -vE '^(before|behind|two) ' all | grep .
exit 0
