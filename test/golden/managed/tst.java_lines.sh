#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: with -x lines, ustack() and jstack() show the file and line of each Java method, and methods that a compiler has
# inlined as frames of their own: what the program says itself, frame by frame. inlines=no leaves those out.
# @@tags: userland software
# @@timeout: 120
cat >"$tmpdir/Lines.java" <<'END'
import java.io.*;
import java.util.*;
import java.util.function.*;
public class Lines {
  interface Visitor { int visit(int depth) throws Exception; }
  static RandomAccessFile sink;
  static PrintStream said;
  static int rounds;
  static byte[] mark = new byte[7];
  static int small(int n) {
    int m = n * 3;
    m += rounds & 1;
    return m - n - n;
  }
  static int inner(int depth) throws Exception {
    if (depth < 0) throw new IllegalStateException();
    return
        descend(depth - 1) +
        small(depth) - small(depth);
  }
  static int outer(int depth) throws Exception {
    int more = small(depth);
    if (more > 1000000)
      return 0;
    return inner(depth) + 0 * more;
  }
  static Visitor[] visitors = {
    new Visitor() {
      public int visit(int depth) throws Exception {
        return descend(depth - 1);
      }
    },
    depth -> outer(depth),
    depth -> {
      try {
        throw new IllegalStateException();
      } catch (IllegalStateException e) {
        return outer(depth);
      } finally {
        rounds += 0;
      }
    },
    depth -> {
      synchronized (sink) {
        return descend(depth - 1);
      }
    },
  };
  static int descend(int depth) throws Exception {
    if (depth <= 0)
      return report();
    if ((depth & 1) != 0)
      return 1 + outer(depth);
    return 1 + visitors[(depth + rounds) / 2 % visitors.length].visit(depth);
  }
  static int report() throws Exception {
    if (rounds % 500 < 2) {
      Throwable here = new Throwable(); sink.write(mark);
      StringBuilder line = new StringBuilder();
      for (StackTraceElement e : here.getStackTrace())
        line.append(e.getClassName() + "." + e.getMethodName() + "(" + e.getFileName() + ":" + e.getLineNumber() + ") ");
      said.println(line);
    }
    return 0;
  }
  public static void main(String[] arguments) throws Exception {
    sink = new RandomAccessFile("/dev/null", "rw");
    said = new PrintStream(arguments[0]);
    while (!new File(arguments[1]).exists()) Thread.sleep(10);
    for (; rounds < 12000; rounds++)
      descend(4 + rounds % 7);
    rounds = 0;
    Arrays.asList(3, 2, 1).forEach(n -> {
      try {
        descend(n);
      } catch (Exception e) {
        throw new Error(e);
      }
    });
    said.close();
  }
}
END
javac -d "$tmpdir" "$tmpdir/Lines.java" || exit 1

# compare JAVA_OPTION FUNCTION ARGUMENT DTRACE_OPTION...: stacks by the function, compared by compare_java.py ARGUMENT.
compare() {
  local options=$1 function=$2 argument=$3
  shift 3
  # The program begins its reports when it is traced. Compilers make it wait for their code, however busy the machine is.
  java -Xbatch $options -cp "$tmpdir" Lines "$tmpdir/said" "$tmpdir/go" &
  java=$!
  trap 'kill $java 2>/dev/null' EXIT
  until [ -e "$tmpdir/said" ]; do
    kill -0 $java || exit 1
    sleep 0.05
  done
  $dtrace $dt_flags -q -w -x format=json -x lines "$@" -o "$tmpdir/out" -p $java \
    -n 'BEGIN { system("touch '"$tmpdir/go"'"); } syscall::write:entry /pid == $target && arg2 == 7/ { '$function'(200); }' || exit 1
  wait $java
  echo "$options: $(python3 -B compare_java.py "$tmpdir/out" "$tmpdir/said" "$argument")"
  rm -f "$tmpdir/out" "$tmpdir/said" "$tmpdir/go"
}
compare -Xint jstack lines
for options in -XX:TieredStopAtLevel=1 -XX:-TieredCompilation -XX:+TieredCompilation; do compare $options ustack lines; done
compare -XX:-TieredCompilation ustack outer -x inlines=no
