#!/bin/bash
# ASSERTION: errnos.d counts 1000 calls that fail with EBADF, and names the error.
. ./common.sh
calls=$(program "$triggers/syscalls")
example errnos.d -c "$calls 1000"
claim "failures are counted by name" grep -qE "^$name +lseek +EBADF +1000$"
