#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Names of files and processes: libc.so and libc mean libc.so.6; a wildcard before the process's number may match "pid".
# @@tags: userland
dtrace=$1
fires() {
  echo "$1: $($dtrace $dt_flags -x errtags -qn "$1 { printf(\"%s %s\", probemod, probeprov == \"pid\" ? \"\" : \"fires\"); exit(0); }" \
    -c "$triggers/spin 60" 2>&1 | grep -oE 'D_[A-Z_]*|.* fires')"
}
for module in libc.so.6 libc.so libc 'lib*.so' libc.s; do fires "pid\$target:$module:clock:entry"; done
for provider in 'p*d$target' '*$target' 'pi[a-z]$target' 'x*d$target'; do fires "$provider:a.out:spin_here:entry"; done
exit 0
