#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What is said when pid* matches nothing, and where.
. ../../runner/show.sh
said() { # DESCRIPTION
  "$dtrace" $dt_flags -qn "$1 { exit(0); }" 2>&1 | sed -E 's/; ([0-9]+ process|process [0-9]+).*//; s/\([0-9]{2,}\)/(N)/g; s/[0-9]+ (files|processes)/N \1/g; s/ and [0-9]+ more//; s/none of [0-9]+ files?/none of N files/; s|/[a-z0-9_]+-linux-gnu/|/MACHINE/|'
}
said 'pid*:libnosuchlibrary:f:entry'
said 'pid*:/usr/lib/nosuchlibrary.so:f:entry'
said 'pid*:/etc/passwd:f:entry'
said 'pid*:libc:getadrinfo:entry'
said 'pid*:libc:getadr*:entry'
said 'pid*::getadrinfo:entry'
said 'pid*:a.out:main:entry'
said 'pid*:::entry'
