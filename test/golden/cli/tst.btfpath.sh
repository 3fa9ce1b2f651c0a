#!/bin/bash
# ASSERTION: a file of kernel types that cannot be read is an error of its own, not probes that do not match.
# SECTION: Options and Tunables
. ../../runner/show.sh
run -x btfpath=/nonexistent/vmlinux -n 'fbt::vfs_read:entry'
run -x btfpath=none -qn 'BEGIN { trace("without types"); exit(0); }'
exit 0
