# SPDX-License-Identifier: Apache-2.0
# What the scripts of this folder share. Sourced by bash.

vm=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# Outside of the tree: a kernel is fetched once, for every build folder and checkout of this user.
cache=${DTRACE_VM_CACHE:-${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/dtrace-vm}

# Exit statuses of our own; what runs in the VM has its own below these.
readonly kSkip=77 kTimeout=124 kDied=125

complain() { printf 'test/vm/%s: %s\n' "$(basename "$0")" "$*" >&2; }

# usage: what a script is, from its first comment.
usage() { sed -n '3,/^[^#]/{s/^# \{0,1\}//p}' "$0"; }

# column KERNEL N: the Nth word of its line in the list; fails if the list has no such kernel.
column() { awk -v name="$1" -v n="$2" '$1 == name { print $n; found = 1 } END { exit !found }' "$vm/kernels"; }
suite_of() { column "$1" 2; }
package_of() { column "$1" 3; }
# architecture_of KERNEL: in Debian's words.
architecture_of() { package_of "$1" | cut -d- -f3; }
# kernel_names [ARCHITECTURE]: all, or those of one.
kernel_names() { awk -v package="${1:+linux-image-$1-}" '!/^#/ && NF && ($3 "-") ~ "^" package { print $1 }' "$vm/kernels"; }
host_architecture() { case $(uname -m) in x86_64) echo amd64 ;; aarch64) echo arm64 ;; *) uname -m ;; esac; }

# root_of ARCHITECTURE: the folder that machines have as /: this machine's, or one of packages (script `root`).
root_of() { if [ "$1" = "$(host_architecture)" ]; then echo /; else echo "$cache/root-$1"; fi; }
# busybox_of ARCHITECTURE: the file for the initrd.
busybox_of() { if [ "$1" = "$(host_architecture)" ]; then command -v busybox; else echo "$cache/root-$1/usr/bin/busybox"; fi; }

# have_kernel KERNEL: sets `architecture`, `folder` to where the kernel lies and `root` to what its machines have as /. What is
# not there is fetched; what cannot be had is reported.
have_kernel() {
  local emulator suffix
  suite_of "$1" >/dev/null || {
    complain "no kernel '$1'; there are: $(kernel_names | tr '\n' ' ')"
    return 2
  }
  architecture=$(architecture_of "$1")
  case $architecture in
    amd64) emulator=qemu-system-x86_64 suffix=x86 ;;
    arm64) emulator=qemu-system-aarch64 suffix=arm ;;
  esac
  command -v $emulator >/dev/null || {
    complain "qemu is not installed: apt-get install --no-install-recommends qemu-system-$suffix busybox-static cpio" \
      "e2fsprogs xz-utils zstd python3"
    return $kSkip
  }
  folder=$cache/$1
  root=$(root_of "$architecture")
  [ "$root" = / ] || "$vm/root" "$architecture" || return $kSkip
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
