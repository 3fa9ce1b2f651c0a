#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: code of a JIT compiler has the names that its dump gives it (jit-PID.dump): PHP's, as Debian ships it.
# @@tags: userland
cat >"$tmpdir/loop.php" <<'END'
<?php
function innermost($n) { $s = 0; for ($i = 0; $i < $n; $i++) { $s += ($i * 7) % 13; } return $s; }
function around($n) { return innermost($n) + 1; }
$end = microtime(true) + 600;
while (microtime(true) < $end) { around(100000); }
END
cd "$tmpdir" || exit 1
"$system_php" -d opcache.enable=1 -d opcache.enable_cli=1 -d opcache.jit=function -d opcache.jit_buffer_size=64M -d opcache.jit_debug=32 -d opcache.file_update_protection=0 \
  loop.php &
php=$!
trap 'kill $php; rm -f /tmp/jit-$php.dump /tmp/perf-$php.map' EXIT
until grep -aqs 'JIT$around' /tmp/jit-$php.dump; do
  kill -0 $php || exit 1
  sleep 0.05
done
# It writes a map as well, which goes first.
rm -f /tmp/perf-$php.map
$dtrace $dt_flags -q -p $php -n 'profile-199 /pid == $target && arg1/ { @[ufunc(arg1)] = count(); @n["samples"] = count(); }
  tick-1s { exit(0); }' >out
grep -o 'jit-[0-9]*\.dump`JIT$innermost' out | sed "s/$php/PID/"
