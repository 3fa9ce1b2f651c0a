#!/bin/bash
# ASSERTION: mariadbslow.d shows a query of a server that starts later, with its time, and leaves out what is faster than -m.
# @@timeout: 180      @@tags: long release software
. ./common.sh
folder=$(mktemp -d /tmp/dt-my.XXXXXX) # a socket's path is short
chown nobody "$folder"
server() { (cd / && exec setpriv --reuid nobody --clear-groups env HOME="$folder" "$@" >>"$folder/log" 2>&1); }
ask() { mariadb --no-defaults -u root -S "$folder/socket" "$@"; }
stop() {
  local pid
  pid=$(cat "$folder/pid" 2>/dev/null) && kill "$pid" && while kill -0 "$pid" 2>/dev/null; do sleep 0.05; done
  rm -rf "$folder"
}
trap stop EXIT
: >"$folder/log" && chown nobody "$folder/log"
server mariadb-install-db --no-defaults --auth-root-authentication-method=normal --skip-test-db --basedir=/usr \
  --datadir="$folder/data" || { cat "$folder/log"; exit 1; }

queries() {
  local i
  server mariadbd --no-defaults --datadir="$folder/data" --skip-networking --socket="$folder/socket" \
    --pid-file="$folder/pid" --innodb-buffer-pool-size=16M &
  for ((i = 0; i < 600; i++)); do
    ! ask -e 'SELECT 1' >/dev/null 2>&1 || break
    sleep 0.1
  done
  ask -e "SELECT SLEEP(0.3), 'slow'; SELECT 'fast'; PREPARE s FROM 'SELECT SLEEP(?)'; SET @a = 0.4; EXECUTE s USING @a" >/dev/null
  cp "$folder/pid" "$tmpdir/pid"
}
awaited=EXECUTE tool_beside queries mariadbslow.d -m 200
claim "a slow query, with its time and text" awk -v pid="$(cat "$tmpdir/pid")" \
  '/SELECT SLEEP\(0.3\), .slow.$/ && $1 == pid && $2 > 0 && $3 >= 300 && $3 < 10000 { n++ } END { exit n != 1 }'
awk_claim "a prepared one, by its statement" '/EXECUTE s USING @a$/ && $3 >= 400 && $3 < 10000 { n++ } END { exit n != 1 }'
awk_claim "no fast one" '/fast|PREPARE|SET/ { bad = 1 } END { exit bad }'

more() { ask -e "SELECT 'quick'; SELECT bad" >/dev/null 2>&1; }
awaited=bad tool_beside more mariadbslow.d -m 0 -p "$(cat "$tmpdir/pid")"
awk_claim "-m 0 -p: quick ones, and one that is wrong" "/SELECT .quick.\$/ { n++ } /SELECT bad\$/ { m++ } END { exit n != 1 || m != 1 }"
