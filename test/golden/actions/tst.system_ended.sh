#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: a command of system() that a signal ends is an error that names the probe, later commands run, and the exit status is 1, whatever
#   exit() says. The command's own status changes nothing.
# SECTION: Actions and Subroutines/Destructive Actions    @@timeout: 60    @@tags: userland
run() {
  "$dtrace" -wqn "$1" 2>&1 | sed -E 's/probe ID [0-9]+/probe ID N/'
  echo "status ${PIPESTATUS[0]}"
}
run 'BEGIN { system("kill -9 $$"); system("echo next"); exit(0); }'
run 'BEGIN { system("kill -TERM $$"); exit(3); }'
run 'BEGIN { system("exit 7"); system("false"); exit(0); }'
run 'BEGIN { system("exit 7"); exit(3); }'
