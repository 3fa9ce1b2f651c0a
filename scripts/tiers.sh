# SPDX-License-Identifier: Apache-2.0
# The tiers of tests, and how they are built and run. Sourced by `check` after common.sh, packages.sh and test/vm/common.sh, with
# the tiers that are to run in the array `wanted`.

# Name, preset, whether it is one of the usual ones, and what it asserts. Tiers of `release` are labels of ctest. In the order
# in which they run.
tier_table='
style            release   *  texts, names and format; the runner of the scripts
unit             release   *  functions and tables
phase            release   *  the dump after one phase of the compiler
golden           release   *  what scripts print, on this kernel
agree            release   *  constant folder, host build and kernel answer alike
usdt             release   -  what dtrace -h and -G make goes through compilers and linkers
install          release   -  the installed tree and its headers; contents of packages
harmless         release   -  programs do with probes what they do without
software         release   -  scripts that need Chromium, Java, libvirt, MariaDB or Prometheus, which it installs
sanitized-unit   sanitize  -  unit tests under AddressSanitizer and UndefinedBehaviorSanitizer
sanitized        sanitize  -  phase, golden and software under the sanitizers
fuzz             fuzz      -  any bytes are survived; a minute for each reader
arm64            aarch64   -  unit tests for arm64, under emulation
vm               release   -  golden, software and agree on other kernels, in virtual machines
'
tiers() { awk 'NF { print $1 }' <<<"$tier_table"; }
preset_of() { awk -v tier="$1" '$1 == tier { print $2 }' <<<"$tier_table"; }
is_usual() { awk -v tier="$1" '$1 == tier { exit $3 != "*" }' <<<"$tier_table"; }
# purpose_of TIER: fails if there is none of that name.
purpose_of() {
  awk -v tier="$1" '$1 == tier { sub(/^[^ ]+ +[^ ]+ +[^ ]+ +/, ""); print; found = 1 } END { exit !found }' <<<"$tier_table"
}

is_wanted() { [[ " ${wanted[*]-} " == *" $1 "* ]]; }

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

# prepare_kernels all|short|NAME,...: sets `kernels` to those that will run. Where this machine does not let us trace (a container, a
# user without privileges) what traces runs in a virtual machine, even if only the live kernel was asked for.
prepare_kernels() {
  local reason kernel
  if is_wanted golden && ! reason=$(python3 -B "$top/test/runner/capabilities.py"); then
    is_wanted vm || { wanted+=(vm) && set -- "$usual_kernel"; }
    export DTRACE_VM_ONLY=1
    say "this machine does not let us trace ($reason): what does so runs in a virtual machine"
  fi
  kernels=
  is_wanted vm || return 0
  case $1 in
    short) export DTRACE_VM_SHORT=1 ;&
    all) kernels=$(kernel_names "$(host_architecture)" | xargs) ;;
    *) kernels=${1//,/ } ;;
  esac
  local emulators=()
  for kernel in $kernels; do
    suite_of "$kernel" >/dev/null || die "no kernel $kernel; there are: $(kernel_names | xargs)"
    emulators+=("$(emulator_package "$(architecture_of "$kernel")")")
  done
  # Without them the kernels are skipped, and say so.
  (need_packages "${vm_packages[@]}" "${emulators[@]}") || say "the packages of virtual machines could not be installed"
}

# start_preset PRESET TARGET: builds it, into a folder without verdicts of earlier runs.
start_preset() {
  local preset=$1 target=$2 folder=$top/build/$1 began=$SECONDS
  folders+=("$folder")
  rm -rf "$folder/test/results" "$folder"/test/junit*.xml
  mkdir -p "$folder/test/results"
  say "building $preset"
  if ! build "$preset" ON "$target"; then
    printf 'fail\tbuild\tthe preset does not build\n' >"$folder/test/results/build"
    return 1
  fi
  echo "$preset: built ($((SECONDS - began)) s)"
}

# test_tiers PRESET LABELS TIER...: the tests with the labels (with `|`) are those of the tiers.
test_tiers() {
  local preset=$1 labels=$2 folder=$top/build/$1 began=$SECONDS
  shift 2
  say "testing $preset: $*"
  (cd "$top" && ctest --preset "$preset" -j "$(nproc)" -L "^($labels)\$" -LE "^(none${DTRACE_VM_ONLY:+|agree})\$" \
    --output-junit "$folder/test/junit-$1.xml" --test-output-size-passed 16384)
  echo "$preset: tested ($*, $((SECONDS - began)) s)"
  ran+=("$@")
}

wanted_of() {
  local tier
  for tier in $(tiers); do
    [ "$(preset_of "$tier")" != "$1" ] || [ "$tier" = vm ] || ! is_wanted "$tier" || echo "$tier"
  done
}

labels_of() { sed 's/^style$/style|runner/' <<<"$(printf '%s\n' "$@")" | paste -sd'|'; }

test_release() {
  local first=() later=() tier
  for tier in $(wanted_of release); do
    # All at once end sooner; but what may come too late comes one by one.
    if [ -z "$minutes" ] || is_usual "$tier"; then first+=("$tier"); else later+=("$tier"); fi
  done
  start_preset release all || return
  [ ${#first[@]} = 0 ] || test_tiers release "$(labels_of "${first[@]}")" "${first[@]}"
  for tier in "${later[@]}"; do
    is_late "$tier" || test_tiers release "$tier" "$tier"
  done
}

test_sanitize() {
  local target=all
  is_late "$(wanted_of sanitize | xargs)" && return
  is_wanted sanitized || target=units
  start_preset sanitize "$target" || return
  ! is_wanted sanitized-unit || test_tiers sanitize unit sanitized-unit
  ! is_wanted sanitized || test_tiers sanitize 'phase|golden|software' sanitized
}

# The libraries for arm64 come first.
test_arm64() {
  is_late arm64 && return
  if "$top/scripts/sysroot-aarch64"; then
    start_preset aarch64 all && test_tiers aarch64 'unit' arm64
  else
    folders+=("$top/build/aarch64")
    rm -rf "$top/build/aarch64/test/results"
    mkdir -p "$top/build/aarch64/test/results"
    printf 'skip\tbuild\tthe arm64 packages cannot be had\n' >"$top/build/aarch64/test/results/build"
  fi
}

test_fuzz() {
  is_late fuzz || { start_preset fuzz fuzzers && test_tiers fuzz fuzz fuzz; }
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
  [ -n "$names" ] && [ ! -e "$folder/test/results/build" ] || return
  ! is_late vm || return
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

# run_tiers: those wanted, preset by preset. Kernels run beside other presets, when the live kernel's tests are done.
run_tiers() {
  local preset
  trap 'for each in "${machines[@]}"; do kill -- "-$each" 2>/dev/null; done; exit 130' INT TERM
  if [ -n "$(wanted_of release)" ]; then
    test_release
  elif [ -n "$(kernels_of "$(host_architecture)")" ]; then
    start_preset release all
  fi
  start_kernels release "$(host_architecture)"
  [ -z "$(wanted_of sanitize)" ] || test_sanitize
  ! is_wanted fuzz || test_fuzz
  if is_wanted arm64 || { [ "$(host_architecture)" != arm64 ] && [ -n "$(kernels_of arm64)" ]; }; then
    test_arm64
    start_kernels aarch64 arm64
  fi
  wait_for_kernels
}
