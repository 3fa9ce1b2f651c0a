#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: when dtrace's process group, or its cgroup by cgroup.kill, is killed while it sets, has or removes thousands of probes,
#   then no breakpoint is left in the target's memory, no link in the kernel and no process of dtrace's.
# SECTION: pid Provider   @@timeout: 300   @@tags: long release
# ROUNDS=100 SEED=7 makes more rounds, of other moments.
rounds=${ROUNDS:-${slow:+4}}
exec python3 killed_groups.py "$dtrace" "$tmpdir" "${rounds:-12}" "${SEED:-1}"
