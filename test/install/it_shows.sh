#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The one-liners that everybody tries first, from an installed tree with neither build folder nor sources in sight; their
# answers are compared with what strace, dd and programs of known behaviour say.
# usage: it_shows.sh CMAKE BUILD_FOLDER SOURCE_FOLDER
set -eu
cmake=$1 build=$2 source=$3
if [ "$(id -u)" != 0 ]; then echo "tracing needs root"; exit 77; fi
for tool in cc strace python3 unshare; do
  command -v $tool >/dev/null || { echo "$tool is not installed"; exit 77; }
done
unshare --mount true 2>/dev/null || { echo "this machine does not let us hide files (unshare)"; exit 77; }

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$cmake" --install "$build" --prefix "$scratch/tree" >"$scratch/log" || { cat "$scratch/log"; exit 1; }
cat >"$scratch/calls.c" <<'C'
#include <sys/syscall.h>
#include <unistd.h>
int main(void) { for (int i = 0; i < 1000; i++) syscall(SYS_getppid); return 0; }
C
cat >"$scratch/burn.c" <<'C'
#include <time.h>
__attribute__((noinline)) static unsigned burn_here(unsigned x) { for (int i = 0; i < 1000000; i++) x = x * 3 + 1; __asm__ volatile("" : "+r"(x)); return x; }
int main(void) {
  unsigned x = 1;
  struct timespec now;
  do { x = burn_here(x); clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now); } while (now.tv_sec < 1);
  return x == 12345;
}
C
cc -static -O1 -o "$scratch/it_shows_calls" "$scratch/calls.c"
cc -O1 -fno-omit-frame-pointer -o "$scratch/it_shows_burn" "$scratch/burn.c"

cp "$source/test/install/it_shows.py" "$scratch/"
cd "$scratch"
unshare --mount bash -eu -c 'mount -t tmpfs none "$1"; mount -t tmpfs none "$2"; exec python3 it_shows.py "$3"' \
  bash "$build" "$source" "$scratch/tree"
