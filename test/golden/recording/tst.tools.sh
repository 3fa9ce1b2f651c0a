#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: tools work on recordings: --record=FILE of a tool keeps what --replay=FILE of the same tool needs, and both
#   print the same.
# SECTION: Recordings    @@timeout: 120
tools=$(realpath ../../../tools)
cd "$tmpdir" || exit 1
# The tool runs while it is recorded, to be compared with.
cat >dtrace-and-run <<SCRIPT
#!/bin/sh
exec "$dtrace" -b 16m -x recordrun -x temporal "\$@"
SCRIPT
chmod +x dtrace-and-run
cat >load <<'LOAD'
#!/bin/sh
while [ ! -e stop ]; do cat /etc/passwd /nonexistent >/dev/null 2>&1; dd if=/dev/zero of=file bs=64k count=10 status=none; done
LOAD
chmod +x load
./load &
for tool in syscount procsystime errinfo execsnoop; do
  DTRACE=$PWD/dtrace-and-run "$tools/dtrace-tool" $tool.d --record=$tool.rec -t 1 >live 2>live.err || cat live.err
  DTRACE=$dtrace "$tools/dtrace-tool" $tool.d --replay=$tool.rec >replayed 2>replayed.err || cat replayed.err
  [ "$(wc -l <live)" -ge 3 ] && cmp live replayed && echo "$tool: equal"
done
touch stop
wait
DTRACE=$dtrace "$tools/dtrace-tool" syscount.d --replay
echo "status $?"
