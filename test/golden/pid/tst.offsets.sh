#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Every instruction of a function: the offsets that another decoder finds, each as often as the function is called.
dtrace=$1

objdump -d --no-show-raw-insn "$triggers/calls" | sed -n '/<twice>:$/,/^$/p' |
  while read -r address rest; do
    case $rest in
      '<twice>:') start=$((16#$address)) ;;
      ?*) printf '%x 10\n' $((16#${address%:} - start)) ;;
    esac
  done | sort >"$tmpdir/wanted"
$dtrace $dt_flags -q -c "$triggers/calls 10" -n '
pid$target:a.out:twice:
/probename != "entry" && probename != "return"/ {
  @[probename] = count();
}
END { printa("%s %@d\n", @); }' 2>"$tmpdir/err" | sed '/^$/d' | sort >"$tmpdir/seen"
[ -s "$tmpdir/wanted" ] || echo "nothing was decoded"
diff "$tmpdir/wanted" "$tmpdir/seen" && echo "the same"
