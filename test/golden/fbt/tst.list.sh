#!/bin/bash
# ASSERTION: fbt lists the entry and return of functions by module, rawfbt also what the compiler made of them; nothing
# that the kernel forbids is listed.
# SECTION: fbt
# @@timeout: 60
. ../fbt/common.sh
list() { "$dtrace" -l "$@" 2>err >out; }
list -n 'fbt:vmlinux:vfs_read:'
awk 'NR > 1 { print $2, $3, $4, $5 }' out
list -P rawfbt
awk '$2 == "rawfbt" && $3 == "vmlinux" { print $4 }' out | sort -u >raw
claim "rawfbt has tens of thousands of functions" test "$(wc -l <raw)" -gt 20000
claim "some with a suffix" grep -q '\.isra\.' raw
list -P fbt
awk '$2 == "fbt" && $3 == "vmlinux" { print $4 }' out | sort >fbt
claim "each with an entry and a return" test "$(uniq -c fbt | awk '$1 % 2' | wc -l)" = 0
sort -u fbt >names
claim "fbt has no suffixes" sh -c '! grep -q "\." names'
claim "fbt has nothing that rawfbt has not" test -z "$(comm -23 names raw)"
awk '{ print $2 }' /sys/kernel/debug/kprobes/blacklist | sort -u >forbidden
claim "a list of what is forbidden is there" test -s forbidden
awk '$3 !~ /\[/ && $2 ~ /^[tTwW]$/ { print $3 }' /proc/kallsyms | sort | uniq -u >unique
claim "nothing forbidden is listed" test -z "$(comm -12 forbidden names | comm -12 - unique)"
"$dtrace" -ln fbt::no_such_function: 2>&1 >/dev/null
