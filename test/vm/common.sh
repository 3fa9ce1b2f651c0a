# SPDX-License-Identifier: Apache-2.0
# What the scripts of this folder share. Sourced by bash.

vm=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# Outside of the tree: a kernel is fetched once, for every build folder and checkout of this user.
cache=${DTRACE_VM_CACHE:-${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/dtrace-vm}
packages=(qemu-system-x86 busybox-static cpio e2fsprogs xz-utils zstd python3)

# Exit statuses of our own; what runs in the VM has its own below these.
readonly kSkip=77 kTimeout=124 kDied=125

complain() { printf 'test/vm/%s: %s\n' "$(basename "$0")" "$*" >&2; }

# usage: what a script is, from its first comment.
usage() { sed -n '3,/^[^#]/{s/^# \{0,1\}//p}' "$0"; }

# suite_of KERNEL: its suite; fails if the list has no such kernel.
suite_of() { awk -v name="$1" '$1 == name { print $2; found = 1 } END { exit !found }' "$vm/kernels"; }
kernel_names() { awk '!/^#/ && NF { print $1 }' "$vm/kernels"; }

# have_kernel KERNEL: sets `folder` to where it lies, fetching it first if need be; otherwise reports an error.
have_kernel() {
  suite_of "$1" >/dev/null || {
    complain "no kernel '$1'; there are: $(kernel_names | tr '\n' ' ')"
    return 2
  }
  command -v qemu-system-x86_64 >/dev/null || {
    complain "qemu is not installed: apt-get install --no-install-recommends ${packages[*]}"
    return $kSkip
  }
  folder=$cache/$1
  "$vm/fetch" "$1" || return $kSkip
}

# golden_command TREE BUILD: sets `golden` to the command that runs golden scripts in a VM, without their paths.
#
# Under emulation everything takes ten times as long, and what waits for the processor wakes late: what fails has a second
# chance, alone, and the table at the end says so. Scripts with the tag `userland` say nothing about a kernel: they run
# there only if this machine does not let us trace. The search path is the system's own: a python3 that is found through a
# chain of shell scripts takes seconds to start there.
golden_command() {
  mkdir -p "$2/test/results"
  golden=(env PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
    python3 -B "$1/test/runner/golden.py" --dtrace "$2/bin/dtrace" --triggers "$2/test/triggers"
    -j 2 --timeout-factor 15 --again)
  [ -n "${DTRACE_VM_ONLY:-}" ] || golden+=(--without-tags userland)
}
