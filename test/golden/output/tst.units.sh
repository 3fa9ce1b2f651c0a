#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: what a program aggregates has its unit in pictures: times, bytes of requests and calls, samples of a profile; text has none.
# SECTION: Output formats
# @@tags: userland
cd "$tmpdir" || exit 1
traced() { "$dtrace" $dt_flags -q "$@" || echo "failed: $*"; }
writes='syscall::write:entry /pid == $target/ { self->from = timestamp; @size[ustack(1)] = sum(arg2); }
  syscall::write:return /self->from/ { @wait[ustack(1)] = sum(timestamp - self->from); @us[ustack(1)] = sum((timestamp - self->from) / 1000);
    @times = quantize(timestamp - self->from); @sizes = quantize(arg0); @parity[ustack(1)] = sum(arg0 & 1); self->from = 0; }'
traced -x title='Five writes' -o out.svg -o out.html:heatmap -o out.txt:heattext -n "$writes" -c "$triggers/paths" 2>/dev/null
grep -o '>Five writes<' out.svg
# Three writes of 10 bytes, and one each of 0 to 4.
grep -o '@size: [^<]*' out.svg
grep -o '@parity: [^<]*' out.svg
grep -o '@\(wait\|us\): [^<]*' out.svg | sed 's/[0-9.][0-9.]* \(ns\|µs\|ms\|s\) /N UNIT /'
grep -o '"name":"@[a-z]*","function":"quantize","joined":1,"quantity":"[a-z]*","step":[0-9]*' out.html | sort
grep -c ' [0-9.]* \([nm]s\|µs\|s\) |' out.txt | sed 's/^[1-9].*/rows of times/'
grep -o '^ *[0-9.]* B |' out.txt | tr -s ' ' | sort -u
traced -n "$writes" -c "$triggers/paths" >out 2>/dev/null
grep -q 'value  ------' out && ! grep -q 'µs\| ns\| B$' out && echo "text has no units"
traced -o cpu.svg -n 'profile-499 { @[stack(1)] = count(); n++; } tick-100ms /n > 5/ { exit(0); }'
grep -o '@: [0-9]* .*<' cpu.svg | sed 's/[0-9][0-9]*/N/'
exit 0
