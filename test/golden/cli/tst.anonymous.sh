#!/bin/bash
# ASSERTION: anonymous tracing is refused aloud.
# SECTION: Command line, 25
. "$(dirname "$0")/../../runner/show.sh"
run -A -n BEGIN
run -a
run -a -n 'BEGIN{exit(0)}'
run -xgrabanon -n 'BEGIN{exit(0)}'
