#!/bin/bash
# ASSERTION: javacalls.d counts calls of Java methods, interpreted and compiled, recursive and left by exceptions, and shows their
#   times; a program that is not Java, or was started without -XX:+DTraceMethodProbes, is said to have none.
# @@timeout: 300      @@tags: userland release software
. ./common.sh
cat >"$tmpdir/Calls.java" <<'END'
public class Calls {
  static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
  static void fail(int n) { if (n == 0) throw new IllegalStateException(); fail(n - 1); }
  static int leaf(int x) { return x + 1; }
  static void nap() throws Exception { Thread.sleep(100); }
  public static void main(String[] arguments) throws Exception {
    int sum = 0;
    for (int i = 0; i < 20000; i++) sum += leaf(i);
    sum += fib(15);
    for (int i = 0; i < 3000; i++) try { fail(3); } catch (IllegalStateException e) { sum++; }
    nap();
    nap();
  }
}
END
javac -d "$tmpdir" "$tmpdir/Calls.java" || exit 1
for mode in -Xint -XX:TieredStopAtLevel=1 -XX:-TieredCompilation -XX:+TieredCompilation; do
  java="java $mode -XX:+DTraceMethodProbes -cp $tmpdir Calls"
  tool javacalls.d -f Calls. -c "$java"
  awk_claim "$mode: counts" '{ n[$2] = $1 } END { exit n["Calls.main"] != 1 || n["Calls.fib"] != 1973 || n["Calls.fail"] != 12000 || n["Calls.leaf"] != 20000 || n["Calls.nap"] != 2 || NR != 6 }'
  tool javacalls.d -T -f Calls. -c "$java"
  # Calls that exceptions end need not be counted; the other ones are, all.
  awk_claim "$mode: calls that ended" '{ n[$3] = $2 } END { exit n["Calls.main"] != 1 || n["Calls.fib"] != 1 || n["Calls.leaf"] != 20000 || n["Calls.nap"] != 2 || n["Calls.fail"] > 3000 }'
  awk_claim "$mode: times" '{ t[$3] = $1 } END { exit t["Calls.nap"] < 200000 ||
    t["Calls.main"] < t["Calls.nap"] + t["Calls.fib"] + t["Calls.leaf"] + t["Calls.fail"] }'
done

# Java as a child, and the methods of the library; the most frequent last.
tool javacalls.d -m 3 -c "sh -c '$java; :'"
awk_claim "-m, and Java as a child" 'NR == 4 && $2 == "Calls.leaf" && $1 == 20000 { n++ } END { exit n != 1 || NR != 4 }'
tool javacalls.d -c "java -cp $tmpdir Calls"
claim "a Java without probes" grep -q '^no call was seen: ' "$out"
tool javacalls.d -t 1 -c 'sleep 9'
claim "another program" grep -q '^no call was seen: ' "$out"
