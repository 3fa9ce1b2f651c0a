#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: with few descriptors, hundreds of files with probes that nobody asks for are no hindrance. If hundreds have
# wanted probes, those that could not be opened are counted: what has not fired is in the ledger. Commands have the limit that
# dtrace was started with.
# @@timeout: 150
. ./common.sh
number=${slow:+130}
number=${number:-300}
limit=${slow:+128}
limit=${limit:-256}
# With none of the descriptors that this script holds.
cat >"$tmpdir/limited" <<S
#!/usr/bin/python3
import os, resource, sys
os.closerange(3, 4096)
resource.setrlimit(resource.RLIMIT_NOFILE, ($limit, $limit))
os.execv("$dtrace", ["dtrace"] + sys.argv[1:])
S
chmod +x "$tmpdir/limited"
build_operands -DPROVIDER='"wanted"' -static -o "$tmpdir/known"
build_operands -DPROVIDER='"unrelated"' -static -o "$tmpdir/other"
mkfifo "$tmpdir/hold"

# crowd FILE: so many processes, each of a copy of the file, whose pids are in $crowd. end_crowd LETTERS: what they do before they end.
crowd() {
  crowd=()
  for ((n = 0; n < number; n++)); do
    cp "$1" "$tmpdir/copy$n"
    mkfifo "$tmpdir/to$n"
    "$tmpdir/copy$n" <"$tmpdir/to$n" >/dev/null &
    crowd+=($!)
  done
  for ((n = 0; n < number; n++)); do exec {to[n]}>"$tmpdir/to$n"; done
  for ((n = 0; n < number; n++)); do
    until [ "/proc/${crowd[n]}/exe" -ef "$tmpdir/copy$n" ]; do sleep 0.01; done
  done
}
end_crowd() {
  for ((n = 0; n < number; n++)); do
    echo "$1" >&${to[n]}
    exec {to[n]}>&-
  done
  wait "${crowd[@]}"
  rm "$tmpdir"/copy* "$tmpdir"/to[0-9]*
}
ulimit -n $((number + 64))
dtrace_itself=$dtrace dtrace=$tmpdir/limited

crowd "$tmpdir/other"
trace -q -Z -x ledger=json -n 'BEGIN { printf("ready\n"); } wanted*::: /probename == "memory"/ { @ = count(); } END { printa("%@d fired\n", @); }'
start "$tmpdir/known"
ask 1
ask f
finish
end_crowd f
end_trace
sed '/^ready/d; s/"longest_ns":[0-9]*/"longest_ns":N/' "$out"

crowd "$tmpdir/known"
trace -q -x ledger=json -x statusrate=1s -n 'BEGIN { printf("ready\n"); } wanted*::: /probename == "memory"/ { @ = count(); } END { printa("%@d fired\n", @); }'
end_crowd f
end_trace
python3 - "$out" $number <<'P'
import json, re, sys
text, number = open(sys.argv[1]).read(), int(sys.argv[2])
fired = int(re.search(r"(\d+) fired", text).group(1))
losses = json.loads(re.search(r'^\{"losses.*', text, re.M).group(0))["losses"]
lost = sum(loss["count"] for loss in losses if loss["cause"] == "FileNotOpened")
print("some fired" if 0 < fired < number else "%d fired" % fired)
print("the others are counted" if lost == number - fired else "%d are counted as lost of %d: %s" % (lost, number - fired, losses))
print("and reported" if re.search(r"dtrace: \d+ file not opened: ", text) else text)
P

"$tmpdir/limited" -qw -n 'BEGIN { system("ulimit -S -n"); exit(0); }' | sed "s/^$limit\$/system() has the limit/"
printf '#!/bin/sh\nulimit -S -n\n' >"$tmpdir/says_limit"
chmod +x "$tmpdir/says_limit"
"$tmpdir/limited" -q -c "$tmpdir/says_limit" -n 'END { exit(0); }' | sed "s/^$limit\$/-c has the limit/"
(ulimit -S -n 100; "$dtrace_itself" -qw -n 'BEGIN { system("ulimit -S -n"); exit(0); }')
