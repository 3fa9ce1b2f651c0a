#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The completions complete: bash's for real, against a stand-in for `dtrace -l`; those of zsh and fish, when such a shell
# is there, are parsed.
# usage: completions.sh FOLDER-OF-COMPLETIONS
set -u
folder=$1
library=/usr/share/bash-completion/bash_completion
[ -e $library ] || { echo "bash-completion is not installed"; exit 77; }
. $library
. "$folder/dtrace.bash"
failed=0

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cat >"$scratch/dtrace" <<'LIST'
#!/bin/sh
echo "$*" >"$(dirname "$0")/asked"
echo '   ID   PROVIDER            MODULE                          FUNCTION NAME'
echo '    7    syscall           vmlinux                              read entry'
echo '    8    syscall           vmlinux                              read return'
echo '    9    syscall           vmlinux                          readlink entry'
echo '    1     dtrace                                                     BEGIN'
LIST
chmod +x "$scratch/dtrace"

# complete_as WANTED WORD...: what is offered for the last word, sorted, between blanks.
complete_as() {
  local wanted=$1 got
  shift
  COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
  COMP_LINE=$(echo "$*" | sed 's/ *: */:/g')
  COMP_POINT=${#COMP_LINE}
  _dtrace "$scratch/dtrace" "${!#}" "${COMP_WORDS[COMP_CWORD - 1]}" 2>/dev/null
  got=$(printf '%s\n' "${COMPREPLY[@]}" | sort | paste -sd' ')
  [ "$got" = "$wanted" ] && return
  printf '%s\n   wanted: %s\n   got:    %s\n' "$*" "$wanted" "$got"
  failed=1
}

# asked DESCRIPTION: what dtrace was asked to list.
asked() {
  [ "$(cat "$scratch/asked")" = "-l -n $1" ] && return
  printf 'asked %s, wanted %s\n' "$(cat "$scratch/asked")" "$1"
  failed=1
}

complete_as 'quiet quietresize' dtrace -x qui
complete_as 'bufsize=' dtrace -x bufs
complete_as 'bufpolicy=fill bufpolicy=ring bufpolicy=switch' dtrace -x bufp
complete_as '--help' dtrace --h
# Bash breaks words at colons: only what follows the last one is offered.
complete_as 'read: readlink:' dtrace -n syscall : vmlinux : re
asked 'syscall:vmlinux:re*:'
complete_as 'entry return' dtrace -n syscall : vmlinux : read :
asked 'syscall:vmlinux:read:*'
complete_as 'dtrace: syscall:' dtrace -n ''
complete_as 'syscall' dtrace -P sys

for shell_file in zsh:_dtrace fish:dtrace.fish; do
  if command -v "${shell_file%:*}" >/dev/null; then
    "${shell_file%:*}" -n "$folder/${shell_file#*:}" || failed=1
  fi
done
exit $failed
