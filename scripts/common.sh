# SPDX-License-Identifier: Apache-2.0
# What `run` and `check` share: where the tree is, what the user sees, how a preset is built. Sourced by bash.
# Nothing here writes to standard output: for `run` that belongs to dtrace.

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
logs=$top/build/logs

# A kernel of test/vm/kernels, for machines that do not let us trace.
usual_kernel=6.12
[ "$(uname -m)" != aarch64 ] || usual_kernel+=-arm64

on_terminal() { [ -t 2 ]; }

# What is being done now; only a person at a terminal wants to know.
step() { if on_terminal; then printf '==> %s\n' "$*" >&2; fi; }

die() {
  printf '%s: %s\n' "$(basename "$0")" "$*" >&2
  exit 1
}

# quietly LOG COMMAND...: on a terminal the command's output is progress; otherwise it goes to build/logs/LOG, and is
# shown when the command fails. It never reads standard input: that, too, belongs to dtrace.
quietly() {
  local log=$logs/$1
  shift
  if on_terminal; then
    "$@" >&2 </dev/null
    return
  fi
  mkdir -p "$logs"
  "$@" >"$log" 2>&1 </dev/null && return
  local status=$?
  printf '%s failed:\n' "$*" >&2
  tail -n 100 "$log" >&2
  return "$status"
}

has_tests() { grep -qs '^BUILD_TESTING:BOOL=ON$' "$top/build/$1/CMakeCache.txt"; }

# configured PRESET ON|OFF: the build folder is there, made from the preset as it is now, and has its tests if wanted.
configured() {
  [ -e "$top/build/$1/build.ninja" ] && [ "$top/build/$1/configured" -nt "$top/CMakePresets.json" ] &&
    { [ "$2" = OFF ] || has_tests "$1"; }
}

# build PRESET ON|OFF TARGET: ninja finds out by itself whether there is anything to do.
build() {
  local preset=$1 testing=$2 target=$3
  if ! configured "$preset" "$testing"; then
    step "configuring build/$preset"
    has_tests "$preset" && testing=ON  # who once had them built keeps them
    (cd "$top" && quietly "configure-$preset" cmake --preset "$preset" -DBUILD_TESTING="$testing") || return
    touch "$top/build/$preset/configured"
  fi
  step "building build/$preset"
  quietly "build-$preset" ninja -C "$top/build/$preset" "$target"
}

# Tracing needs tracefs; pinned maps need bpffs. What cannot be mounted is left to dtrace to explain.
mount_kernel_filesystems() {
  [ "$(id -u)" = 0 ] || return 0
  mount_if_missing tracefs /sys/kernel/tracing
  mount_if_missing bpf /sys/fs/bpf
}

mount_if_missing() {
  local type=$1 folder=$2
  if [ -d "$folder" ] && ! awk -v f="$folder" -v t="$type" '$2 == f && $3 == t { found = 1 } END { exit !found }' \
    /proc/mounts; then
    mount -t "$type" "$type" "$folder" 2>/dev/null || true
  fi
}
