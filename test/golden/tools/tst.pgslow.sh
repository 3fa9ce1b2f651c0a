#!/bin/bash
# ASSERTION: pgslow.d shows a query of a server that starts later, with its time, and leaves out what is faster than -m.
# @@lock: postgresql
# @@timeout: 180      @@tags: long release
tools_folder=$PWD
cd ../usdt && . ./common.sh && cd "$tools_folder" && . ./common.sh
queries() {
  start_postgres
  pg psql -h "$pgdir" -U test -qAt -c "SELECT pg_sleep(0.3), 'slow'" -c "SELECT 'fast'" postgres >/dev/null
}
awaited=slow tool_beside queries pgslow.d -m 200
awk_claim "a slow query, with its time and text" '/pg_sleep\(0.3\), .slow./ && $2 >= 300 && $2 < 10000 { n++ } END { exit n != 1 }'
awk_claim "no fast one" '/fast/ { bad = 1 } END { exit bad }'
