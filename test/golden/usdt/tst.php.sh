#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: the probes of the distribution's PHP are listed as its notes tell, and tell functions, classes, files and lines;
# a constant operand (the exception's name where there is none) is a constant. PHP wants USE_ZEND_DTRACE=1 for functions.
# @@shared
. ./common.sh
cat >"$tmpdir/prog.php" <<'P'
<?php
class Shop {
  static function price($n) { return $n * 2; }
}
function work($n) { return Shop::price($n); }
echo "up\n";
fgets(STDIN);
for ($i = 0; $i < 4; $i++) work($i);
try { throw new RuntimeException("no"); } catch (RuntimeException $e) { }
P
mkfifo "$tmpdir/in"
USE_ZEND_DTRACE=1 $system_php "$tmpdir/prog.php" <"$tmpdir/in" >"$tmpdir/answers" &
php=$!
exec 5>"$tmpdir/in"
until grep -qs up "$tmpdir/answers"; do sleep 0.05; done
noted_and_listed "php$php" $system_php
# A caught exception's class is passed as PHP's own string, whose text is 24 bytes on.
trace -q -p $php -n 'BEGIN { printf("ready\n"); }
  php$target:::function-entry { @[copyinstr(arg0), basename(copyinstr(arg1)), (int)arg2, copyinstr(arg3), copyinstr(arg4)] = count(); }
  php$target:::function-return { @returns[copyinstr(arg0)] = count(); }
  php$target:::exception-thrown { printf("thrown %s\n", copyinstr(arg0)); }
  php$target:::exception-caught { printf("caught %s\n", copyinstr(arg0 + 24)); }
  php$target:::request-shutdown { printf("%s %s\n", probename, basename(copyinstr(arg0))); }
  END { printa("%s %s:%d %s%s %@d\n", @); printa("%s returned %@d times\n", @returns); }' 5>&-
exec 5>&-
trace_ended
grep -v -e ready -e '^$' "$out"
wait $php
