#!/bin/bash
# ASSERTION: SIGKILL to dtrace ends the command of system() with what it has started in the foreground and the background, and the
#   preprocessor with the compiler that it has started, whenever it comes. A daemon that has left the command stays.
# SECTION: Actions/system   @@timeout: 200   @@tags: release
# ROUNDS=100 SEED=7 makes more rounds, of other moments.
rounds=${ROUNDS:-${slow:+3}}
exec python3 killed_commands.py "$dtrace" "$tmpdir" "${rounds:-15}" "${SEED:-1}"
