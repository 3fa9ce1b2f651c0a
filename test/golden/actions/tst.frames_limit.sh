#!/bin/bash
# ASSERTION: a number of kernel frames above the limit is a warning that names the limit.
# SECTION: Actions
# @@tags: userland
. "$(dirname "$0")/../../runner/show.sh"
run -en 'BEGIN { stack(127); ustack(500); }'
run -en 'BEGIN { stack(128); }'
run -xmaxframes=10 -en 'BEGIN { stack(11); stack(); }'
run -xstackframes=200 -en 'BEGIN { stack(); }'
