#!/bin/sh
# ASSERTION: a shell wrapper that takes options and splices them into a program of inlines, as twenty years of tools do.
usage() { echo "USAGE: calls [-v] [-n name] [-c count]" >&2; exit 1; }
calls() {
	opt_verbose=0; filter=0; name=.; top=0; OPTIND=1
	while getopts vn:c: option; do
		case $option in
		v) opt_verbose=1 ;;
		n) filter=1; name=$OPTARG ;;
		c) top=$OPTARG ;;
		*) usage ;;
		esac
	done
	shift $((OPTIND - 1))
	$dtrace -n '
	#pragma D option quiet

	inline int OPT_verbose = '$opt_verbose';
	inline int FILTER      = '$filter';
	inline int TOP         = '$top';
	inline string NAME     = "'$name'";

	dtrace:::BEGIN
	{
		FILTER ? printf("only %s\n", NAME) : printf("all\n");
		OPT_verbose ? printf("verbose\n") : 1;
	}

	syscall::lseek:entry, syscall::getppid:entry
	/pid == $target && (FILTER == 0 || probefunc == NAME)/
	{
		@num[probefunc] = count();
	}

	dtrace:::END
	/TOP/
	{
		trunc(@num, TOP);
	}

	dtrace:::END
	{
		printa("%-10s %@d\n", @num);
	}
	' -c "$triggers/syscalls 3"
}
calls
calls -v -n lseek
calls -n nothing
calls -c 1 -v
