#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: where native code calls a Java method, the way to the caller is found in the first instructions of the interpreter, too,
# before the method has a frame of its own: the stub that calls Java lies between the method and the virtual machine's function.
# @@tags: userland software
# @@timeout: 120
cat >"$tmpdir/Up.java" <<'END'
import java.lang.reflect.Method;
public class Up {
  public static int callee(int n) { return n * n * n * n + n * n * n + n * n + 1; }
  public static void main(String[] arguments) throws Exception {
    Method callee = Up.class.getMethod("callee", int.class);
    for (int sum = 0;; sum++) sum += (Integer) callee.invoke(null, sum);
  }
}
END
javac -d "$tmpdir" "$tmpdir/Up.java" || exit 1
# By its native accessor, for each call.
options='-Xint -Dsun.reflect.inflationThreshold=2147483647 -Djdk.reflect.useNativeAccessorOnly=true'
rate=4999 seconds=6
[ -z "$slow" ] || rate=499 seconds=40
$dtrace $dt_flags -q -x aggsize=16m -o "$tmpdir/out" -c "java $options -cp $tmpdir Up" -n '
  profile-'$rate' /arg1 && progenyof($target)/ { @[ustack(64)] = count(); } tick-'$seconds's { exit(0); }' || exit 1
awk '/^ *[0-9]+$/ { if (callee) seen += $1; if (missed) wrong += $1; callee = missed = above = 0; next }
  above && /`JavaCalls::call_helper/ { missed = 1 }
  { above = $1 == "Up.callee"; callee += above }
  END { print (seen < 30 ? seen + 0 " samples" : wrong ? wrong " without the stub" : "the stub is between") }' "$tmpdir/out"
