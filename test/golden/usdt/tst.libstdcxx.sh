#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: probes of a shared library, in a program started by the tracer: what C++ throws is caught as
# often.
. ./common.sh
cat >"$tmpdir/throws.cpp" <<'P'
int main() {
  for (int i = 0; i < 25; ++i) {
    try { throw i; } catch (int) { }
  }
}
P
c++ -O1 -o "$tmpdir/throws" "$tmpdir/throws.cpp" || exit 1
"$dtrace" -q -c "$tmpdir/throws" -n 'libstdcxx$target:::throw { thrown++; }
  libstdcxx$target:::catch { caught++; }
  END { printf("%d thrown, %d caught\n", thrown, caught); }'
