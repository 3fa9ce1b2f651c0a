#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: the tutorial's programs, made by their own Makefile, say what they do: requests of the server in C with
# translated arguments, made up and over a socket, and jobs of the queue in C++.
# @@tags: long release
# @@shared
. ./common.sh
cp -r ../../../doc/usdt "$tmpdir/usdt" || exit 1
cd "$tmpdir/usdt" || exit 1
make -s DTRACE="$dtrace" || exit 1
echo "-- requests"
"$dtrace" -q -L . -c './server 0 30' -n 'httpserver$target:::request-start {
    @started[args[0]->r_method, args[0]->r_uri, args[1]->p_fd, args[1]->p_port] = count(); self->start = timestamp; }
  httpserver$target:::request-done /self->start/ {
    @bytes[args[0]->r_uri, args[2]] = sum(args[0]->r_bytes); @latency[args[0]->r_uri] = quantize(timestamp - self->start);
    self->start = 0; }
  httpserver$target:::connection-open { @connections[args[0]] = count(); }
  END { printa("%s %s fd %d port %d: %@d\n", @started); printa("%s %d: %@d bytes\n", @bytes); printa("fd %d: %@d\n", @connections);
    printa(@latency); }' >"$out"
grep -E '^(GET|/.*bytes|fd)' "$out" | sort
awk '/Distribution/ { on = 1; next } on && NF > 2 { sum += $NF } END { print "latencies", sum }' "$out"
echo "-- over a socket"
# A free port: the test's own shell finds one that nobody listens on.
port=
for try in $(seq 50); do
  port=$((20000 + RANDOM % 20000))
  (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || break
done
trace -q -L . -c "./server $port 3" -n 'BEGIN { printf("ready\n"); }
  httpserver$target:::request-done { printf("%s %s port %d: %d\n", args[0]->r_method, args[0]->r_uri,
    args[1]->p_port == '"$port"' ? 1 : 0, args[2]); }'
request() {
  until { exec 3<>"/dev/tcp/127.0.0.1/$port"; } 2>/dev/null; do kill -0 "$tracer" || return; sleep 0.05; done
  printf '%s' "$1" >&3
  cat <&3
  exec 3>&-
}
request 'GET /index HTTP/1.0'
request 'PUT /missing HTTP/1.0'
request 'GET /news HTTP/1.0'
trace_ended
grep port "$out"
echo "-- jobs"
"$dtrace" -q -c './jobs 9' -n 'jobs$target:::push { @pushed[args[1]] = count(); }
  jobs$target:::run-start { self->name = stringof(args[0]); started++; }
  jobs$target:::run-done /stringof(args[0]) == self->name && args[1] > 0/ { done++; }
  END { printa("priority %d: %@d\n", @pushed); printf("%d started, %d done\n", started, done); }' | grep . | sort
