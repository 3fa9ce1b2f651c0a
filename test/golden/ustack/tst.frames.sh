#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: the stacks of a program without frame pointers are whole, whatever its functions do with their stacks: at a
# probe of the function, with return probes on everything, and at each optimisation; by gcc and clang.
# @@shared
dtrace=$1
here=$PWD
cd "$tmpdir" || exit 1
show() { # of frames: the functions alone, a line a stack
  awk '/: *$/ || /^$/ { if (line != "") print line; line = "" }
    NF { sub(/^ +/, ""); sub(/\+0x[0-9a-f]+$/, ""); sub(/^frames[^`]*`/, ""); line = line (line == "" ? "" : " ") $0 }
    END { if (line != "") print line }' |
    sed -E 's/: +/: /; s/libc\.so\.6`(__libc_start_call_main|__libc_start_main|__start_context|__pthread_kill_implementation)[^ ]* ?//g;
      s/libc\.so\.6( |$)//g; # without the debug package of libc, functions of its own have no names
      s/libc\.so\.6`__restore_rt|\[vdso\]`__kernel_rt_sigreturn/libc`restore/;
      s/libc\.so\.6`(raise|gsignal|pthread_kill)[^ ]*/libc`raise/g; s/libc\.so\.6`(qsort|msort)[^ ]*/libc`qsort/g; s/( libc`[a-z]+)\1+/\1/g; s/ $//'
}
run() { # NAME CLAUSES
  $dtrace $dt_flags -q -x temporal -x inlines=no -c "./$1" -n "$2" 2>&1
}
compilers=gcc levels='0 1 2 3'
for compiler in clang-19 clang; do
  command -v $compiler >/dev/null && compilers+=" $compiler" && break
done
[ -z "$slow" ] || levels='0 2'
for compiler in $compilers; do
  apart= # clang makes copies of functions for the arguments of a call
  [ $compiler != clang-19 ] || apart='-mllvm -funcspec-max-iters=0'
  for level in $levels; do
    $compiler -O$level $apart -fomit-frame-pointer -fno-optimize-sibling-calls -w -o frames "$here/frames.c" || exit 1
    run frames 'pid$target:a.out:mark:entry { printf("%s: ", copyinstr(arg0)); ustack(); }' | show >plain.$compiler.$level
    # Return probes write their own address over the true ones.
    run frames 'pid$target:a.out:mark:entry { printf("%s: ", copyinstr(arg0)); ustack(); } pid$target:a.out::return { n++; }' |
      show >returns.$compiler.$level
    diff plain.$compiler.$level returns.$compiler.$level
    diff plain.gcc.0 plain.$compiler.$level
  done
done
cat plain.gcc.0
echo "== a child, by a system call"
run frames 'syscall::clock_nanosleep:entry /progenyof($target) && pid != $target/ { ustack(); }' | show
echo "== what ends a stack"
gcc -DUNKNOWN -O2 -fomit-frame-pointer -o frames "$here/frames.c"
run frames 'pid$target:a.out:mark:entry /copyinstr(arg0) == "unknown code"/ { ustack(); @[ustack()] = count(); }
  pid$target:a.out:mark:entry /copyinstr(arg0) == "deep"/ { ustack(3); depth = ustackdepth; printf("%d frames, called by %A\n", depth, ucaller); }' |
  sed -E 's/0x[0-9a-f]+/ADDRESS/g'
$dtrace $dt_flags -q -x format=json -c ./frames -n 'pid$target:a.out:mark:entry /copyinstr(arg0) == "unknown code"/ { ustack(); }' |
  grep -o '{"cut":[^}]*}\|"name":"StackNoRule"'
