#!/bin/bash
# ASSERTION: SIGINT, SIGTERM and SIGQUIT end dtrace whenever they come, also a background job of a script, which is started with
#   SIGINT and SIGQUIT ignored. Only what is no tracing leaves them ignored, as it does SIGHUP under nohup.
# SECTION: Command line, 10
# @@timeout: 200
# @@tags: release
# ROUNDS=300 SEED=7 makes more rounds, of other moments.
rounds=${ROUNDS:-${slow:+6}}
exec python3 early_signals.py "$dtrace" "$tmpdir" "${rounds:-30}" "${SEED:-1}"
