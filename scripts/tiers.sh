# SPDX-License-Identifier: Apache-2.0
# The tiers of tests, and how they are built and run. Sourced by `check` after common.sh, packages.sh and test/vm/common.sh, with
# the tiers that are to run in the array `wanted`.

# Name, preset, whether it is one of the usual ones, and what it asserts. In the order in which they run.
tier_table='
style            release   *  texts, names and format; the runner of the scripts
unit             release   *  functions and tables
phase            release   *  the dump after one phase of the compiler
golden           release   *  what scripts print, on this kernel
agree            release   *  constant folder, kernel and evaluator answer alike
replay           release   *  recordings of scripts print what the scripts print
usdt             release   -  what dtrace -h and -G make goes through compilers and linkers
install          release   -  the installed tree and its headers; contents of packages
harmless         release   -  programs do with probes what they do without
sanitized-unit   sanitize  -  unit tests under AddressSanitizer and UndefinedBehaviorSanitizer
single           release   -  scripts of pid and usdt with a perf event for each probe, as on kernels before 6.10
software         release   -  scripts that need Chromium, Go, Java, libvirt, MariaDB or Prometheus, which it installs
vm               release   -  golden, software and agree on other kernels, in virtual machines, beside what follows
sanitized        sanitize  -  phase, golden and software under the sanitizers
fuzz             fuzz      -  any bytes are survived; a minute for each reader
arm64            aarch64   -  unit tests for arm64, under emulation
'
tiers() { awk 'NF { print $1 }' <<<"$tier_table"; }
preset_of() { awk -v tier="$1" '$1 == tier { print $2 }' <<<"$tier_table"; }
is_usual() { awk -v tier="$1" '$1 == tier { exit $3 != "*" }' <<<"$tier_table"; }
# purpose_of TIER: fails if there is none of that name.
purpose_of() {
  awk -v tier="$1" '$1 == tier { sub(/^[^ ]+ +[^ ]+ +[^ ]+ +/, ""); print; found = 1 } END { exit !found }' <<<"$tier_table"
}

is_wanted() { [[ " ${wanted[*]-} " == *" $1 "* ]]; }

# Most scripts wait for something a good part of their time.
jobs=$(($(nproc) + 1))
ran=()      # tiers
folders=()  # of builds, for the summary
machines=() # process groups of virtual machines

# left_out: tiers that did not run, with commas.
left_out() { tiers | grep -vxF -e "$(printf '%s\n' "${ran[@]-}")" | paste -sd,; }

# commit_of_tree: what is checked out, with "+" if something is changed; nothing where there is no git.
commit_of_tree() {
  local commit
  commit=$(git -C "$top" rev-parse HEAD 2>/dev/null) || return 0
  [ -z "$(git -C "$top" status --porcelain 2>/dev/null)" ] || commit+=+
  echo "$commit"
}

say() { echo "check: $*" >&2; }

# There is no time for a tier any more: only where `minutes` is set.
is_late() { [ -n "${minutes-}" ] && [ $((SECONDS / 60)) -ge "$minutes" ] && say "no time for ${1}: $((SECONDS / 60)) minutes have passed"; }

# choose_kernels all|short|NAME,...: sets `kernels` to those that the tier vm runs, if it is wanted.
choose_kernels() {
  local kernel
  kernels=
  is_wanted vm || return 0
  case $1 in
    short) export DTRACE_VM_SHORT=1 ;&
    all) kernels=$(kernel_names "$(host_architecture)" | xargs) ;;
    *) kernels=${1//,/ } ;;
  esac
  for kernel in $kernels; do
    suite_of "$kernel" >/dev/null || die "no kernel $kernel; there are: $(kernel_names | xargs)"
  done
}

# prepare_kernels: once Python is installed and tracefs is mounted. Where this machine does not let us trace (a container, a user
# without privileges) what traces runs in a virtual machine, even if only the live kernel was asked for.
prepare_kernels() {
  local reason kernel emulators=()
  if is_wanted golden && ! reason=$(python3 -B "$top/test/runner/capabilities.py"); then
    is_wanted vm || { wanted+=(vm) && kernels=$usual_kernel; }
    export DTRACE_VM_ONLY=1
    say "this machine does not let us trace ($reason): what does so runs in a virtual machine"
  fi
  is_wanted vm || return 0
  for kernel in $kernels; do emulators+=("$(emulator_package "$(architecture_of "$kernel")")"); done
  # Without them the kernels are skipped, and say so.
  (need_packages "${vm_packages[@]}" "${emulators[@]}") || say "the packages of virtual machines could not be installed"
}

# labels_of TIER: what ctest calls its tests, with `|`.
labels_of() {
  case $1 in
    style) echo 'style|runner' ;;
    sanitized-unit | arm64) echo unit ;;
    sanitized) echo 'phase|golden|software' ;;
    *) echo "$1" ;;
  esac
}

# target_of PRESET: what of it is built. Sanitized tools take long, and unit tests do not need them.
target_of() {
  case $1 in
    sanitize) is_wanted sanitized && echo all || echo units ;;
    fuzz) echo fuzzers ;;
    *) echo all ;;
  esac
}

# ready PRESET: it is built, or does not build, which its verdict says. Verdicts of earlier runs are gone.
ready() {
  local preset=$1 folder=$top/build/$1 began=$SECONDS
  if [[ " ${folders[*]-} " == *" $folder "* ]]; then
    [ ! -e "$folder/test/results/build" ]
    return
  fi
  folders+=("$folder")
  rm -rf "$folder/test/results" "$folder"/test/junit*.xml
  mkdir -p "$folder/test/results"
  if [ "$preset" = aarch64 ] && ! "$top/scripts/sysroot-aarch64"; then
    printf 'skip\tbuild\tthe arm64 packages cannot be had\n' >"$folder/test/results/build"
    return 1
  fi
  say "building $preset"
  if ! build "$preset" ON "$(target_of "$preset")"; then
    printf 'fail\tbuild\tthe preset does not build\n' >"$folder/test/results/build"
    return 1
  fi
  echo "$preset: built ($((SECONDS - began)) s)"
}

# test_tiers PRESET TIER...: all of them at once end sooner than one after another.
test_tiers() {
  local preset=$1 folder=$top/build/$1 labels='' began tier
  shift
  ready "$preset" || return
  for tier in "$@"; do labels+=${labels:+|}$(labels_of "$tier"); done
  began=$SECONDS
  say "testing $preset: $*"
  (cd "$top" && ctest --preset "$preset" -j "$jobs" -L "^($labels)\$" -LE "^(none${DTRACE_VM_ONLY:+|agree})\$" \
    --output-junit "$folder/test/junit-$1.xml" --test-output-size-passed 16384)
  echo "$preset: tested ($*: $((SECONDS - began)) s)"
  ran+=("$@")
}

# kernels_of ARCHITECTURE: those that were asked for.
kernels_of() {
  local kernel
  for kernel in $kernels; do [ "$(architecture_of "$kernel")" != "$1" ] || echo "$kernel"; done
}

# Under emulation a test takes many times as long, and most of it alone: all kernels at once, and whatever else there is to do
# goes first.
#
# start_kernels PRESET ARCHITECTURE: its kernels, with what the preset built, unless it did not.
start_kernels() {
  local preset=$1 folder=$top/build/$1 names
  names=$(kernels_of "$2")
  [ -n "$names" ] && ready "$preset" || return
  say "testing $preset on other kernels: ${names//$'\n'/ }"
  mkdir -p "$logs"
  # A machine has one GiB, and little besides. Those of another architecture are the slowest: each has a processor.
  local at_once=3 pattern=${names//$'\n'/|}
  [ "$2" = "$(host_architecture)" ] || at_once=$(nproc)
  [ "$(awk '/^MemAvailable/ { print $2 }' /proc/meminfo)" -gt 5000000 ] || at_once=1
  # Kernels of one build share their work. Where the kernel groups processes by session, a niceness counts only inside; the group
  # has one of its own.
  (cd "$top" && export DTRACE_VM_KERNELS=$names && exec setsid sh -c 'echo 10 2>/dev/null >/proc/self/autogroup; exec nice -n 10 "$@"' sh \
    ctest --preset "$preset" -j "$at_once" -L '^vm$' -R "^vm[.](${pattern//./[.]})\$" \
    --output-junit "$folder/test/junit-vm.xml") >"$logs/kernels-$preset" 2>&1 </dev/null &
  machines+=($!)
  is_ran vm || ran+=(vm)
}

is_ran() { [[ " ${ran[*]-} " == *" $1 "* ]]; }

wait_for_kernels() {
  local began=$SECONDS
  [ ${#machines[@]} != 0 ] || return 0
  say "waiting for the other kernels"
  wait "${machines[@]}"
  machines=()
  cat "$logs"/kernels-*
  echo "kernels: tested ($((SECONDS - began)) s more than all else)"
}

# run_tiers: those wanted. Neighbours of one preset run together, unless what may come too late must come one by one.
run_tiers() {
  trap 'for each in "${machines[@]}"; do kill -- "-$each" 2>/dev/null; done; exit 130' INT TERM
  local tier preset together=() of=
  for tier in $(tiers); do
    is_wanted "$tier" || continue
    preset=$(preset_of "$tier")
    if [ ${#together[@]} != 0 ] && { [ "$preset" != "$of" ] || [ "$tier" = vm ] || { [ -n "$minutes" ] && ! is_usual "$tier"; }; }; then
      test_tiers "$of" "${together[@]}"
      together=()
    fi
    if is_usual "$tier" || ! is_late "$tier"; then
      if [ "$tier" = vm ]; then start_kernels release "$(host_architecture)"; else together+=("$tier") of=$preset; fi
    fi
  done
  [ ${#together[@]} = 0 ] || test_tiers "$of" "${together[@]}"
  [ "$(host_architecture)" = arm64 ] || start_kernels aarch64 arm64
  wait_for_kernels
}
