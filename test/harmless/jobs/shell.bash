# What bash does by longjmp(): errors of arithmetic, traps, return in a sourced file; and more.
declare -A table=([one]=1 [two]=2)
list=(c a b)
for key in one two; do echo "$key ${table[$key]}"; done
trap 'echo got USR1' USR1
kill -USR1 $$
(echo $((1 / 0))) 2>/dev/null || echo "status $?"
[[ abc-42 =~ ([a-z]+)-([0-9]+) ]] && echo "${BASH_REMATCH[2]}"
f() { local n=$1; ((n > 0)) && { f $((n - 1)); echo -n "$n "; }; return "$n"; }
f 5
echo "status $?"
source /dev/stdin <<<'return 7'
echo "status $?"
printf '%s\n' "${list[@]}" | sort | while read -r word; do echo "<$word>"; done
coproc cat
echo through >&"${COPROC[1]}"
read -r line <&"${COPROC[0]}"
echo "$line"
kill "$COPROC_PID"
wait "$COPROC_PID" 2>/dev/null
: ${unset?is not set} 2>/dev/null
echo not reached
