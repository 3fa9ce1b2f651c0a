#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# For `.x` files: exit status 0 if this machine compiles and runs 32-bit programs, else 2 with the reason. A kernel
# without CONFIG_IA32_EMULATION compiles them and does not run them.
folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT
if ! echo 'int main(void) { return 0; }' | cc -m32 -xc -o "$folder/narrow" - 2>/dev/null; then
  echo "no compiler for 32-bit programs"
  exit 2
fi
"$folder/narrow" 2>/dev/null && exit 0
echo "this kernel does not run 32-bit programs"
exit 2
