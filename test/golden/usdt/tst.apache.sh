#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: a module of a third party for Apache, made by its own Makefile with `dtrace -xnolibs -h` and -G, is traced
# under load with both kinds of processes, one thread each and several: its probes count what the client counts, by URI,
# with translated arguments; the module is loaded after the program's start, and its processes after the tracer's.
# @@timeout: 120
# @@tags: long release
# @@shared
. ./common.sh
cp -r ../../../doc/usdt/apache "$tmpdir/module" || exit 1
make -s -C "$tmpdir/module" DTRACE="$dtrace" || exit 1
modules=/usr/lib/apache2/modules

port=
for try in $(seq 50); do
  port=$((20000 + RANDOM % 20000))
  (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || break
done
htdocs=$(mktemp -d /tmp/dt-httpd.XXXXXX)
mkdir -p "$htdocs/sub"
echo news >"$htdocs/news.txt"
head -c 5000 /dev/zero >"$htdocs/sub/large.bin"
chmod -R a+rX "$htdocs"

stop_apache() {
  [ -e "$tmpdir/httpd.pid" ] || return 0
  local server=$(cat "$tmpdir/httpd.pid")
  kill "$server"
  while [ -e "/proc/$server" ]; do sleep 0.05; done
}
trap 'stop_apache; rm -rf "$htdocs"' EXIT

start_apache() { # MPM
  cat >"$tmpdir/httpd.conf" <<C
ServerRoot $tmpdir
ServerName localhost
Listen 127.0.0.1:$port
PidFile $tmpdir/httpd.pid
ErrorLog $tmpdir/error.log
DefaultRuntimeDir $tmpdir
Mutex posixsem
LoadModule mpm_$1_module $modules/mod_mpm_$1.so
LoadModule authz_core_module $modules/mod_authz_core.so
LoadModule reqprobes_module $tmpdir/module/build/mod_reqprobes.so
User nobody
Group nogroup
DocumentRoot $htdocs
StartServers 2
C
  # Not to be taken for the server of a system manager.
  env -u NOTIFY_SOCKET -u LISTEN_FDS /usr/sbin/apache2 -f "$tmpdir/httpd.conf" -k start || { cat "$tmpdir/error.log"; exit 1; }
  until [ -s "$tmpdir/httpd.pid" ] && (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do sleep 0.05; done
}

load() { # COUNT URI: what ab has seen
  ab -q -n "$1" -c 4 "http://127.0.0.1:$port$2" >"$tmpdir/ab" 2>&1 || cat "$tmpdir/ab"
  awk -v uri="$2" '/^Complete requests/ { n = $3 } /^Non-2xx/ { bad = $3 } END { print "ab", uri, n, bad + 0 }' "$tmpdir/ab"
}

for mpm in prefork worker; do
  echo "-- $mpm"
  start_apache "$mpm"
  server=$(cat "$tmpdir/httpd.pid") # others may run one, too
  trace -q -L "$tmpdir/module" -n 'BEGIN { printf("ready\n"); }
    httpd*:::request-start /ppid == '"$server"' && strstr(args[1]->rq_agent, "ApacheBench") != NULL/ {
      @started[args[1]->rq_method, args[1]->rq_uri] = count(); self->start = timestamp; }
    httpd*:::request-done /self->start/ {
      @done[args[1]->rq_uri, args[1]->rq_status, args[0]->ci_local, args[0]->ci_remote] = count();
      @bytes[args[1]->rq_uri] = min(args[1]->rq_bytes);
      @latency[args[1]->rq_uri] = quantize(timestamp - self->start);
      self->start = 0; }
    END { printa("%s %s %@d started\n", @started); printa("%s %d %s %s %@d done\n", @done);
      printa("%s at least %@d bytes\n", @bytes); printa("latency %s %@d\n", @latency); }'
  load 200 /news.txt
  load 120 /sub/large.bin
  load 40 /missing
  end_trace
  grep -E ' (started|done)$' "$out" | sort
  awk '/ at least / { print $1, ($4 >= (/large/ ? 5000 : 1) ? "sent" : "too little") }' "$out" | sort
  # Each latency is in one row of one URI's distribution.
  awk '/^latency/ { uri = $2 } /\|/ { n[uri] += $NF } END { for (u in n) print "latencies", u, n[u] }' "$out" | sort
  trace -q -L "$tmpdir/module" -n 'BEGIN { printf("ready\n"); }
    httpd*:::request-done /ppid == '"$server"' && strstr(args[1]->rq_agent, "ApacheBench") != NULL/ { @[args[1]->rq_status] = count(); }
    END { printa("status %d %@d\n", @); }'
  load 30 /news.txt
  load 10 /missing
  end_trace
  grep status "$out" | sort
  trace -q -L "$tmpdir/module" -n 'BEGIN { printf("ready\n"); }
    httpd*:::request-done /ppid == '"$server"' && strstr(args[1]->rq_agent, "ApacheBench") != NULL/ { @[args[0]->ci_remote] = count(); }
    END { printa("from %s %@d\n", @); }'
  load 20 /sub/large.bin
  end_trace
  grep from "$out"
  stop_apache
  rm -f "$tmpdir/httpd.pid"
done
