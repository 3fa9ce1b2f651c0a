#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: where the kernel lets no BPF program write to a process's memory, a message names the probes whose is-enabled tests
# stay false, each once.
. ./common.sh
cc -O2 -pthread -o "$tmpdir/asks" asks.c || exit 1
for probes in "shop*:::sold, shop*:::sold" "shop*:::"; do
  start "$tmpdir/asks"
  trace -qn "BEGIN { printf(\"ready\n\"); } $probes { fired++; } END { printf(\"fired %d\n\", fired); }"
  ask a && echo "$answer"
  end_trace
  finish
  sed "s|$tmpdir/||" "$out"
done
