#!/bin/bash
# ASSERTION: every tool beside a load has the load's numbers to the last event, ends at Ctrl-C with status 0 and in silence, and ends
#   in silence when its reader leaves. test/tools/run does it for a minute each.
# @@timeout: 400      @@tags: userland release
"$PWD/../../tools/run" --dtrace "$dtrace" --events "$triggers/events" --seconds 2 --jobs 8 | grep -vE ': (ok|not tried: .*)$'
