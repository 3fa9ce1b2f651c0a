#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: two halves of a run, saved as JSON and merged, print what the whole run prints, byte for byte, for every aggregating
#   function and kind of key; so do their merge as JSON merged again, and other orders. What cannot be merged is an error.
# SECTION: Merging    @@timeout: 120    @@tags: userland
dtrace=$1
cd "$tmpdir" || exit 1
statements() { # FIRST LAST: updates whose numbers are made of the number of the statement
  for ((i = $1; i <= $2; i++)); do
    v=$((i * i * 37 % 1001 - 400))
    echo "@c[$((i % 5)), execname] = count(); @c2 = count(); @s[(char)$((i % 3 - 1))] = sum($v); @m[\"k$((i % 4))\"] = min($v); @x[$((i % 2))] = max($v);
      @a[(unsigned char)$((i % 3))] = avg($v); @d[$((i % 3))] = stddev(${v}LL * 3000000000); @q[$((i % 2)), \"z\"] = quantize($v);
      @l = lquantize($v, -100, 300, 50); @ll[$((i % 2))] = llquantize($((v * v)), 10, 1, 5, 20);
      @k[stack()] = count(); @sym[sym(${address[$((i % 3))]})] = count(); @mod[mod(${address[$((i % 3))]})] = sum($v);
      @b[strjoin(\"t\", \"\\377$((i % 2))\")] = count(); @n[probename, (int64_t)$((i % 2 - 1))] = count(); @w = count();"
  done
  echo "normalize(@w, 3);"
}
mapfile -t address < <(awk '$3 == "vfs_read" || $3 == "vfs_write" || $3 == "do_exit" { print "0x" $1 "ull" }' /proc/kallsyms)
make() { # NAME FIRST LAST
  { echo 'BEGIN {'; statements "$2" "$3"; echo 'exit(0); }'; } >"$1.d"
}
make half1 1 20; make half2 21 40
{ echo 'BEGIN {'; statements 1 40; echo 'exit(0); }'; } >whole.d
for half in half1 half2; do "$dtrace" -xformat=json -qs $half.d >$half.json || exit; done
"$dtrace" -qs whole.d >whole.txt || exit
check() { # NAME: standard input is as the whole run
  if cmp -s - whole.txt; then echo "$1: same"; else echo "$1: differs"; fi
}
"$dtrace" --merge half1.json half2.json | check 'two halves'
"$dtrace" --merge half2.json half1.json | check 'the other way'
"$dtrace" --merge -xformat=json half1.json half2.json >both.json
"$dtrace" --merge both.json | check 'merged again'
cat half1.json half2.json | "$dtrace" --merge - | check 'one stream'
for option in aggsortkey aggsortrev aggzoom agghist aggpack; do
  "$dtrace" -x$option -qs whole.d | cmp -s - <("$dtrace" --merge -x$option half1.json half2.json) && echo "$option: same"
done
fail() { # NAME FILE...: the error of a merge
  local name=$1
  shift
  printf '%s: ' "$name"
  "$dtrace" --merge "$@" 2>&1 >/dev/null | sed 's/^dtrace: //'
  [ "${PIPESTATUS[0]}" = 1 ] || echo 'no error'
}
"$dtrace" -xformat=json -qn 'BEGIN { @c2 = sum(1); exit(0); }' >sum.json
"$dtrace" -xformat=json -qn 'BEGIN { @c[1, 2] = count(); exit(0); }' >keys.json
"$dtrace" -xformat=json -qn 'BEGIN { @l = lquantize(1, 0, 10); exit(0); }' >linear.json
head -n 3 half1.json >short.json
sed '3s/.$//' half1.json >damaged.json
fail 'another function' half1.json sum.json
fail 'other keys' half1.json keys.json
fail 'other parameters' half1.json linear.json
fail 'no end' short.json
fail 'damaged' damaged.json
fail 'no file' none.json
fail 'other text' whole.d
fail 'nothing'
"$dtrace" -xformat=json -qn 'BEGIN { @c = count(); printa(@c); exit(0); }' >shown.json
"$dtrace" --merge shown.json
