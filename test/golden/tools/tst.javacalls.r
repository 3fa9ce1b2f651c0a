ok: -Xint: counts
ok: -Xint: calls that ended
ok: -Xint: times
ok: -XX:TieredStopAtLevel=1: counts
ok: -XX:TieredStopAtLevel=1: calls that ended
ok: -XX:TieredStopAtLevel=1: times
ok: -XX:-TieredCompilation: counts
ok: -XX:-TieredCompilation: calls that ended
ok: -XX:-TieredCompilation: times
ok: -XX:+TieredCompilation: counts
ok: -XX:+TieredCompilation: calls that ended
ok: -XX:+TieredCompilation: times
ok: -m, and Java as a child
ok: a Java without probes
ok: another program
