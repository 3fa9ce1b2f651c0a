#!/bin/bash
# ASSERTION: ssllatency.d counts the TLS calls of programs that use GnuTLS, their bytes and their handshakes: gnutls-cli with
#   gnutls-serv, and wget where that uses GnuTLS; also when tracing begins first.
# @@timeout: 180      @@tags: userland release
. ./common.sh
openssl req -x509 -newkey rsa:2048 -nodes -keyout "$tmpdir/key.pem" -out "$tmpdir/cert.pem" -subj /CN=localhost -days 2 2>/dev/null || exit 1

# serve ARGUMENTS...: gnutls-serv, and its port in $port. It is there when it accepts connections.
serve() {
  for port in $(shuf -i 20000-32000 -n 5); do
    gnutls-serv "$@" -q -p "$port" --x509keyfile "$tmpdir/key.pem" --x509certfile "$tmpdir/cert.pem" >"$tmpdir/served" 2>&1 </dev/null &
    server=$!
    while kill -0 $server 2>/dev/null; do
      ! (: <>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || return 0
      sleep 0.1
    done
  done
  exit 1
}

serve --echo
lines() {
  for _ in 1 2 3 4 5 6 7 8 9 10; do
    printf '%0999d\n' 0
    sleep 0.02
  done
  sleep 0.3
}
echoes() { lines | gnutls-cli --insecure -p "$port" localhost >"$tmpdir/echoed"; }
# PID COMM CALL COUNT EMPTY BYTES P50 P99 MAX
sums='{ n[$2 " " $3] += $4; e[$2 " " $3] += $5; b[$2 " " $3] += $6; m[$2 " " $3] = $9 }'
: >"$out"
"$tools/dtrace-tool" ssllatency.d -s -i 1 >"$out" 2>"$err" </dev/null & # the heading says that it traces
tracer=$!
until [ -s "$out" ] || ! kill -0 $tracer 2>/dev/null; do sleep 0.05; done
echoes
kill -INT $tracer
wait $tracer || echo "status $?"
without_preempted "$err"
claim "ten lines went there and back" [ "$(grep -c '^0\{999\}$' "$tmpdir/echoed")" = 10 ]
awk_claim "client: ten writes of 1000 bytes, two of which may be one" "$sums"' END { exit n["gnutls-cli write"] > 10 || b["gnutls-cli write"] != 10000 }'
awk_claim "server: as many bytes read and written" "$sums"' END { exit b["gnutls-serv read"] != 10000 || b["gnutls-serv write"] != 10000 }'
awk_claim "client: as many read" "$sums"' END { exit b["gnutls-cli read"] != 10000 }'
awk_claim "handshakes of both" "$sums"' END { exit !(n["gnutls-cli handshake"] >= 1 && n["gnutls-serv handshake"] >= 1 && m["gnutls-cli handshake"] > 100) }'
kill $server
wait $server 2>/dev/null

if wget=$(type -P wget) && ldd "$wget" | grep -q libgnutls; then
  serve --http
  tool ssllatency.d -s -c "$wget -q --no-check-certificate -O $tmpdir/page https://localhost:$port/"
  claim "wget: one write, a handshake, and at least the page read" awk -v page="$(wc -c <"$tmpdir/page")" "$sums"' END {
    exit !(n["wget write"] == 1 && n["wget handshake"] >= 1 && b["wget read"] >= page && page > 0) }'
  kill $server
  wait $server 2>/dev/null
else
  echo "ok: wget: one write, a handshake, and at least the page read" # uses another library
fi
exit 0
