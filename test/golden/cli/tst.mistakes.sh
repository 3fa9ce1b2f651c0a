#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: a mistake of those in the file `mistakes` is underlined, and followed by what to write instead where that is known.
# @@tags: userland release
# @@timeout: 120  @@lock: damaged
dtrace=$1
while IFS= read -r mistake; do
  case $mistake in
    '#'*) continue ;;
    '=='*) printf '\n%s\n' "$mistake"; continue ;;
  esac
  printf '\n$ dtrace %s\n' "$mistake"
  eval "\"\$dtrace\" -e $mistake" 2>&1 </dev/null
done <mistakes |
  # Kernels differ in whether they have fbt; processes have numbers; a synopsis has a test of its own.
  sed -E '/^Usage: /,/^\t\[-m /d; s/(fbt::[a-z_]*:[a-z]*) would be.*/did you mean \1?/; s/pid[0-9]{2,6}:/pidN:/; s/; .* cannot be inspected: .*//'
