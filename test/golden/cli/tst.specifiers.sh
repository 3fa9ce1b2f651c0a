#!/bin/bash
# ASSERTION: -P -m -f -n -i give the last field its meaning; too many fields, unknown ids and no match are errors.
# SECTION: Command line, 4
# @@tags: userland
. "$(dirname "$0")/../../runner/show.sh"
list() { # ARGS: -l without its ids
	echo "\$ dtrace -l $*"
	"$dtrace" -l "$@" 2>&1 | sed 's/^ *[0-9][0-9]*  */N /'
}
list -P dtrace
list -n BEGIN
list -n dtrace:::END
list -n :::ERROR
list -f read -n nosuch
list -f syscall::write
list -f syscall:vmlinux:write
list -f :syscall:vmlinux:write
list -P :dtrace
list -n 'syscall::wr[i]te:entry'
list -n 'syscall::w?it[!eip]*:entry'
list -n 'syscall::writ\e:entry'
list -n 'syscall::write:entry,syscall::read:return'
list -n 'syscall::$1:entry' write
list -i 1
list -n 'profile:::tick-5s'
run -i 1 -n 'BEGIN{exit(0)}' -x cpu=0
run -i '2{trace("two")}' -n 'BEGIN{exit(0)}' -x cpu=0
run -n a:b:c:d:e
run -f a:b:c:d
run -m a:b:c
run -P a:b
run -P ::a
run -i 999999999
run -n 'a:b:c:d' -n BEGIN
run -P nosuch
