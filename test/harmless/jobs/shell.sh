# Signals, pipes, children and errors in a shell.
double() { echo $(($1 * 2)); }
trap 'echo got USR1' USR1
kill -USR1 $$
n=0
while [ $n -lt 5 ]; do n=$((n + 1)); double $n; done | { sum=0; while read -r x; do sum=$((sum + x)); done; echo $sum; }
(exit 3) || echo "status $?"
(kill -TERM $(sh -c 'echo $PPID')) 2>/dev/null
echo "status $?"
case abc in a?c) echo matched ;; esac
eval 'echo "${n#x}"'
{ echo first & } ; wait
cat <<END
n is $n, $(echo nested $(echo twice))
END
trap 'echo the end' EXIT
no_such_command 2>/dev/null || echo "status $?"
exit 4
