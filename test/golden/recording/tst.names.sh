#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: stacks and symbols of a recording have the names that they had live, when the processes are gone; in every
#   format that shows them.
# SECTION: Recordings    @@timeout: 120
cd "$tmpdir" || exit 1
cat >stacks.d <<'D'
syscall::write:entry /pid == $target/ { @user[ustack(6)] = count(); @kernel[stack(4)] = count(); }
syscall::write:entry /pid == $target/ { @[usym(ucaller), umod(ucaller), func(caller), mod(caller)] = count(); }
D
for format in text folded; do
  "$dtrace" -q -x format=$format --record run.rec -x recordrun -s stacks.d -c 'dd if=/dev/zero of=/dev/null bs=1 count=20 status=none' \
    >live 2>live.err || cat live.err
  "$dtrace" -q -x format=$format --replay run.rec -s stacks.d >replayed 2>replayed.err || cat replayed.err
  if grep -q 'libc.*write' live && cmp -s live replayed; then echo "$format: equal"; else diff live replayed; fi
done
