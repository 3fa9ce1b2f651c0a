#!/bin/bash
# ASSERTION: a program that was compiled before is not compiled again, unless something that it depends on has changed: its text,
#   an argument, an option, the kernel, dtrace itself; a damaged, foreign or cut file, or one that others may write, is not used;
#   option cache turns it off, and finds differences.
# SECTION: Options
# @@tags: userland
cache=$tmpdir/cache
unset DTRACE_OPT_CACHE
export DTRACE_OPT_CACHEDIR=$cache

# What a start with these arguments did with the cache, and what it printed.
start() {
	local what=$1
	shift
	"$@" >"$tmpdir/out" 2>"$tmpdir/err"
	local status=$?
	local how=neither
	grep -q 'read from the cache [0-9]* bytes' "$tmpdir/err" && how=read
	grep -q 'generated [0-9]* bytes' "$tmpdir/err" && how=compiled
	echo "$what: $how, $(tr -s ' \n' ' ' <"$tmpdir/out"), status $status"
}
program='BEGIN { printf("%s %d", $$1, $2); @ = sum(3); exit(0); }'
dt() { start "$1" "${command:-$dtrace}" -qx debug "${@:2}" -n "$program" a 7; }

dt first
dt second
start 'another argument' "$dtrace" -qx debug -n "$program" a 8
start 'that argument again' "$dtrace" -qx debug -n "$program" a 8
start 'another text' "$dtrace" -qx debug -n "$program " a 7
dt 'another option' -x strsize=64
start 'another kernel' setarch --uname-2.6 "$dtrace" -qx debug -n "$program" a 7
dt 'off' -x cache=off
dt 'second, still'

# Another dtrace: the same file with another build ID.
mkdir -p "$tmpdir/bin" && ln -s "$(dirname "$(dirname "$(realpath "$dtrace")")")/lib" "$tmpdir/lib"
printf '\4\0\0\0\24\0\0\0\3\0\0\0GNU\0%020d' 7 >"$tmpdir/note"
objcopy --strip-debug --update-section .note.gnu.build-id="$tmpdir/note" "$dtrace" "$tmpdir/bin/dtrace" || exit 1
command=$tmpdir/bin/dtrace dt 'another dtrace'
command=$tmpdir/bin/dtrace dt 'that dtrace again'

# Files that are not what was kept.
for file in "$cache"/*; do printf x | dd of="$file" bs=1 seek=300 conv=notrunc status=none; done
dt damaged
dt 'compiled anew'
for file in "$cache"/*; do truncate -s -1 "$file"; done
dt cut
chmod 666 "$cache"/*
dt 'open to all'
chmod 600 "$cache"/*
dt 'closed'
chmod 777 "$cache"
dt 'in an open folder'
grep -o 'no cache.*' "$tmpdir/err" | sed "s:$tmpdir:FOLDER:"
chmod 700 "$cache"

# What is found is compiled and compared.
dt check -x cache=check
