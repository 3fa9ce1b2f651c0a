#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: every probe of a running server is listed under its process's number; all of the server's processes are.
# @@tags: long release
# @@lock: postgresql
# @@shared
. ./common.sh
start_postgres
"$dtrace" -l -P "postgresql$postgres" | tail -n +2 >"$tmpdir/list"
echo "names: $(awk '{ print $NF }' "$tmpdir/list" | sort -u | wc -l)"
echo "providers: $(awk '{ print $2 }' "$tmpdir/list" | sort -u | sed "s/$postgres/PID/")"
echo "modules: $(awk '{ print $3 }' "$tmpdir/list" | sort -u)"
processes=$(pgrep -c -P "$postgres")
listed=$("$dtrace" -l -n "postgresql*:postgres::query-start" | tail -n +2 | wc -l)
[ "$listed" -ge $((processes + 1)) ] && echo "every process" || echo "$listed of $((processes + 1)) processes"
