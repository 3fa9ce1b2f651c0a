# SPDX-License-Identifier: Apache-2.0
# Sourced by the tests of this folder.
cd "$tmpdir" || exit 1
triggers=$(dirname "$dtrace")/../test/triggers

# claim TEXT COMMAND...: says whether the command succeeds; shows the file `out` if it does not.
claim() {
  local text=$1
  shift
  if "$@" >/dev/null; then
    echo "ok: $text"
  else
    echo "not so: $text ($*)"
    head -c 2000 out
    head -c 1000 err
  fi
}
