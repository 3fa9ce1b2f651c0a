#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The completions complete, in each shell that is there, against a stand-in for `dtrace -l`.
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
#!/bin/bash
# Rows that match the description: -l -n DESCRIPTION, -l -m MODULE, -l -f FUNCTION with fields before it, or all.
echo "$*" >"$(dirname "$0")/asked"
all=$3
if [[ $2 = -[mf] ]]; then
  last=$2 all=:::$3: colons=
  [[ $last = -f ]] || all+=:
  while colons=${all//[^:]/}; [ ${#colons} -gt 3 ]; do all=${all#:}; done
fi
IFS=: read -r p m f n <<<"$all"
matches() { [[ $1 == ${p:-*} && $2 == ${m:-*} && $3 == ${f:-*} && $4 == ${n:-*} ]]; }
row() { IFS=: read -r p1 m1 f1 n1 <<<"$1"; matches "$p1" "$m1" "$f1" "$n1" && echo "$2"; }
echo '   ID   PROVIDER            MODULE                          FUNCTION NAME'
row syscall:vmlinux:read:entry '    7    syscall           vmlinux                              read entry'
row syscall:vmlinux:read:return '    8    syscall           vmlinux                              read return'
row syscall:vmlinux:readlink:entry '    9    syscall           vmlinux                          readlink entry'
row dtrace:::BEGIN '    1     dtrace                                                     BEGIN'
row sdt:sched::sched_switch '    2        sdt             sched                                   sched_switch'
row some::a_function:entry '    3       some                                           a_function entry'
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

# asked DESCRIPTION [FLAG]: what dtrace was asked to list.
asked() {
  [ "$(cat "$scratch/asked")" = "-l ${2--n} $1" ] && return
  printf 'asked %s, wanted %s\n' "$(cat "$scratch/asked")" "$1"
  failed=1
}

complete_as 'quiet quietresize' dtrace -x qui
complete_as 'bufsize=' dtrace -x bufs
complete_as 'bufpolicy=fill bufpolicy=ring bufpolicy=switch' dtrace -x bufp
complete_as '--help' dtrace --h
complete_as '--live' dtrace --li
complete_as '--cgroup --color --container' dtrace --c
complete_as '' dtrace --pod x
complete_as '' dtrace --du
complete_as '' dtrace -a
complete_as '' dtrace -A
# Bash breaks words at colons: only what follows the last one is offered.
complete_as 'read: readlink:' dtrace -n syscall : vmlinux : re
asked 'syscall:vmlinux:re*:'
complete_as 'entry return' dtrace -n syscall : vmlinux : read :
asked 'syscall:vmlinux:read:*'
complete_as 'read: readlink:' dtrace -n syscall :: re
asked 'syscall::re*:'
complete_as 'entry return' dtrace -n syscall :: 'read*' :
# After a quote it does not.
complete_as 'syscall:vmlinux:read: syscall:vmlinux:readlink:' dtrace -n "'syscall:vmlinux:re"
complete_as 'dtrace: sdt: some: syscall:' dtrace -n ''
complete_as 'sched:' dtrace -n sdt :
complete_as 'sched_switch' dtrace -n sdt : sched ::
complete_as 'entry' dtrace -n some :: a_function :
complete_as 'syscall' dtrace -P sys
complete_as 'read readlink' dtrace -f re
asked 're*' -f
complete_as 'read readlink' dtrace -lf syscall :: re
asked 'syscall::re*' -f
complete_as 'sched' dtrace -m sc
complete_as 'vmlinux' dtrace -m syscall :
asked 'syscall:*' -m
complete_as 'bufsize=' dtrace -qx bufs
complete_as 'entry return' dtrace -Zqn syscall : vmlinux : read :

# offered_as WANTED GOT TYPED: the same for the other shells, which break no words at colons.
offered_as() {
  local got
  got=$(printf '%s' "$2" | grep . | sort -u | paste -sd' ')  # zsh merges what is offered twice
  [ "$got" = "$1" ] && return
  printf '%s: %s\n   wanted: %s\n   got:    %s\n' "$shell" "$3" "$1" "$got"
  failed=1
}

# What fish offers for the line that ends in the word to be completed.
offers_of_fish() {
  PATH=$scratch:$PATH fish --no-config -c 'source $argv[1]; complete -C $argv[2]' "$folder/dtrace.fish" "$1" | cut -f1
}

# What zsh offers, on a terminal of its own: a key runs the completion with a compadd that says what it was given.
offers_of_zsh() {
  HOME=$scratch zsh -f -c '
    zmodload zsh/zpty
    zpty shell zsh -f -i
    zpty -w shell "PS1=; PATH=$3:\$PATH; fpath=($1 \$fpath); autoload -Uz compinit; compinit -u -D
      say() {
        compadd() { local -a _offers; builtin compadd -A _offers \"\$@\"; print -rl -- \${_offers/#/offer=} }
        _main_complete; print -r -- the-end
      }
      zle -C say complete-word say; bindkey ^X say; print begin-\$((1 + 1))"
    zpty -r -m shell text "*begin-2*"
    zpty -w -n shell "$2"$'"'\\x18'"'
    zpty -r -m shell text "*the-end*"
    print -r -- $text' zsh "$folder" "$1" "$scratch" | tr -d '\r' | sed -n 's/.*offer=//p'
}

for shell in fish zsh; do
  command -v $shell >/dev/null || { echo "$shell is not installed: not tried"; continue; }
  offered_as 'quiet quietresize' "$(offers_of_$shell 'dtrace -x qui')" '-x qui'
  offered_as 'bufpolicy=fill bufpolicy=ring bufpolicy=switch' "$(offers_of_$shell 'dtrace -x bufp')" '-x bufp'
  offered_as 'syscall:vmlinux:read: syscall:vmlinux:readlink:' "$(offers_of_$shell 'dtrace -n syscall:vmlinux:re')" \
    '-n syscall:vmlinux:re'
  offered_as 'syscall::read: syscall::readlink:' "$(offers_of_$shell 'dtrace -n syscall::re')" '-n syscall::re'
  offered_as 'sdt:sched::sched_switch' "$(offers_of_$shell 'dtrace -qn sdt:sched::')" '-qn sdt:sched::'
  offered_as syscall "$(offers_of_$shell 'dtrace -P sys')" '-P sys'
  offered_as 'read readlink' "$(offers_of_$shell 'dtrace -f re')" '-f re'
  offered_as '--live' "$(offers_of_$shell 'dtrace --li')" '--li'
  offered_as '' "$(offers_of_$shell 'dtrace --du')" '--du'
  offered_as 'syscall:vmlinux' "$(offers_of_$shell 'dtrace -m syscall:')" '-m syscall:'
done
exit $failed
