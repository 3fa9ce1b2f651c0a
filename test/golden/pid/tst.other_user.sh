#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# As another user with CAP_BPF and CAP_PERFMON: functions and static probes of one's own processes can be probed, also in a
# file that others may not read; of root's processes, a file that may not be read is refused with the reason.
dtrace=$1
chmod 755 "$(dirname "$tmpdir")" "$tmpdir"
cp "$dtrace" "$tmpdir/dt"
mkdir "$tmpdir/own" "$tmpdir/roots"
cp "$triggers/spin" "$tmpdir/own/own_spin"
cp "$triggers/spin" "$tmpdir/roots/root_spin"
cp $system_python "$tmpdir/own/own_python"
cp $system_python "$tmpdir/roots/root_python"
chown -R 65534:65534 "$tmpdir/own"
chmod 700 "$tmpdir/own" "$tmpdir/roots"
nobody=(setpriv --reuid 65534 --regid 65534 --clear-groups)
"$tmpdir/roots/root_spin" 60 & pids=($!)
mkfifo "$tmpdir/in"
exec 3<>"$tmpdir/in"
"$tmpdir/roots/root_python" -c 'import sys; sys.stdin.read()' <&3 & pids+=($!)
(cd "$tmpdir/own" && exec "${nobody[@]}" ./own_spin 60) & pids+=($!)
(cd "$tmpdir/own" && exec "${nobody[@]}" ./own_python -c 'import gc
while True: gc.collect()') & pids+=($!)
for name in root_spin root_python own_spin own_python; do
  until pgrep -x $name >/dev/null; do sleep 0.05; done
done
try() {
  (cd "$tmpdir" && "${nobody[@]}" --inh-caps=+bpf,+perfmon --ambient-caps=+bpf,+perfmon ./dt $dt_flags -x errtags -x nolibs \
    -qn "$1 { printf(\"%s fires\\n\", probename); exit(0); }" 2>&1) | grep -v 'loaded later' | # not everywhere
    grep -oE 'D_[A-Z_]*|Permission denied|^[a-z-]+ fires' | sort -u | tr '\n' ' '
  echo
}
glob() { # as above, with numbers that differ from machine to machine left out
  (cd "$tmpdir" && "${nobody[@]}" --inh-caps=+bpf,+perfmon --ambient-caps=+bpf,+perfmon ./dt $dt_flags -x nolibs \
    -n "$1 { exit(0); }" 2>&1) | grep -oE 'does not match any|matched [1-9]|[^ ]* cannot be set in [0-9]* proc.*|[0-9]* process[es]* cannot be .*' |
    sed -E 's/[0-9]+ process(es)?/N processes/; s/matched .*/matched/'
}
echo "own: $(try "pid${pids[2]}:a.out:spin_here:entry") $(try "python${pids[3]}:::gc-start")"
echo "root's: $(try "pid${pids[0]}:a.out:spin_here:entry") $(try "python${pids[1]}:::gc-start")"
echo "== processes of others are said to be missing from what a glob stands for"
glob 'python*:::gc-start'
glob 'python*:::gc-stort'
kill "${pids[@]}"
wait 2>/dev/null
exit 0
