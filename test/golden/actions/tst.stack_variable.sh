#!/bin/bash
# ASSERTION: a stack kept in a variable is refused in words.
"$dtrace" -qn 'BEGIN { x = stack(2); exit(0); }'
exit 0
