#!/bin/bash
# ASSERTION: A probe at an offset of a kernel function fires as often as its entry; regs[] has the arguments there. What is no
#   instruction, or outside of the function, is refused.
# SECTION: Providers, 6
# @@timeout: 200      @@tags: long
. "$(dirname "$0")/../../runner/machine.sh"
function=ksys_lseek
"$dtrace" -ln "fbt::$function:entry" 2>/dev/null | grep -q $function || function=${call_prefix}lseek
offsets="5 9"
[ "$(uname -m)" = x86_64 ] || offsets="4 8"
for offset in 0 $offsets; do
	"$dtrace" -q -n "fbt::$function:entry, fbt::$function:$offset /pid == \$target/ { @[probename] = count(); }
	END { printa(\"%s %@d\n\", @); }" -c "$triggers/syscalls 100" >"$tmpdir/out" 2>&1
	sed "s/^/$offset: /" "$tmpdir/out" >>"$tmpdir/said"
done
echo "== counts"
awk '$2 == "0" { zero = $3 } $2 ~ /^[1-9]$/ { inside[$2] = $3 } $2 == "entry" { entry = $3 }
END { print "entry", entry, "first", zero; n = 0; for (i in inside) { n++; if (inside[i] != 100) print "inside", i, inside[i] } print (n > 0 ? "inside" : "nothing inside") }' "$tmpdir/said"
echo "== registers"
"$dtrace" -q -n "fbt::${call_prefix}lseek:entry /pid == \$target/ { @[regs[$first_register] == arg0, regs[this->n = $first_register] == arg0, uregs[$first_register]] = count(); }
END { printa(\"%d %d %d %@d\n\", @); }" -c "$triggers/syscalls 100" 2>&1 | grep .
echo "== registers, where functions could call the program"
DTRACE_KERNEL_LACKS=kprobe_multi "$dtrace" -v -q -n "fbt::${call_prefix}lseek:entry /pid == \$target/ { @[regs[$first_register] == arg0] = count(); }
END { printa(\"%d %@d\n\", @); }" -c "$triggers/syscalls 100" 2>&1 | grep -oE '^1 100|single kprobes|fentry' | sort
echo "== refused"
"$dtrace" -q -n "fbt::$function:1" -c true 2>&1 | sed "s/$function/FUNCTION/"
"$dtrace" -xerrtags -q -n "fbt::$function:fffff" 2>&1 | grep -o '\[D_PROC_OFF\].*' | sed "s/$function/FUNCTION/"
exit 0
