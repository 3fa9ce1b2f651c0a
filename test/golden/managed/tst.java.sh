#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: ustack() shows Java methods by name where native frames have addresses: those that the program says itself, frame by
# frame, interpreted, compiled by either compiler, through interfaces, lambdas, exceptions and class initialisers.
# @@tags: userland software
cat >"$tmpdir/Report.java" <<'END'
import java.io.*;
import java.util.*;
import java.util.function.*;
public class Report {
  interface Visitor { int visit(int depth) throws Exception; }
  static RandomAccessFile sink;
  static PrintStream said;
  static int rounds;
  static byte[] mark = new byte[7];
  static Visitor[] visitors = {
    new Visitor() { public int visit(int depth) throws Exception { return descend(depth - 1); } },
    depth -> descend(depth - 1),
    depth -> { try { throw new IllegalStateException(); } catch (IllegalStateException e) { return descend(depth - 1); } },
    depth -> { synchronized (sink) { return descend(depth - 1); } },
  };
  static int descend(int depth) throws Exception {
    if (depth == 0) return report();
    return 1 + visitors[(depth + rounds) % visitors.length].visit(depth);
  }
  static int report() throws Exception {
    if (rounds % 500 < 2) {
      StringBuilder line = new StringBuilder();
      for (StackTraceElement e : new Throwable().getStackTrace()) line.append(e.getClassName() + "." + e.getMethodName() + " ");
      said.println(line);
      sink.write(mark);
    }
    return 0;
  }
  static class Initialised { static { try { descend(3); } catch (Exception e) { throw new Error(e); } } static int x = 1; }
  public static void main(String[] arguments) throws Exception {
    sink = new RandomAccessFile("/dev/null", "rw");
    said = new PrintStream(arguments[0]);
    while (!new File(arguments[1]).exists()) Thread.sleep(10);
    for (; rounds < 12000; rounds++) descend(4 + rounds % 7);
    rounds = 0;
    if (Initialised.x == 1) Arrays.asList(3, 2, 1).forEach(n -> { try { descend(n); } catch (Exception e) { throw new Error(e); } });
    said.close();
  }
}
END
javac -d "$tmpdir" "$tmpdir/Report.java" || exit 1
for options in -Xint -XX:TieredStopAtLevel=1 -XX:-TieredCompilation -XX:+TieredCompilation; do
  # What is inlined has no frame. The program begins its reports when it is traced.
  java -XX:-Inline $options -cp "$tmpdir" Report "$tmpdir/said" "$tmpdir/go" &
  java=$!
  trap 'kill $java 2>/dev/null' EXIT
  until [ -e "$tmpdir/said" ]; do
    kill -0 $java || exit 1
    sleep 0.05
  done
  $dtrace $dt_flags -q -w -x format=json -x ustackframes=200 -o "$tmpdir/out" -p $java \
    -n 'BEGIN { system("touch '"$tmpdir/go"'"); } syscall::write:entry /pid == $target && arg2 == 7/ { ustack(200); }' || exit 1
  wait $java
  echo "$options: $(python3 -B compare_java.py "$tmpdir/out" "$tmpdir/said")"
  rm -f "$tmpdir/out" "$tmpdir/said" "$tmpdir/go"
done
