#!/bin/sh
# ASSERTION: programs from here-documents: by /dev/stdin, by command substitution, and with values of the shell in them.
limit=3
$dtrace -q -s /dev/stdin <<'END'
dtrace:::BEGIN { printf("from stdin %d\n", 1 + 1); exit(0); }
END
$dtrace -qn "$(cat <<END
dtrace:::BEGIN
{
	i = $limit;
	printf("limit %d\n", i);
	exit(0);
}
END
)"
$dtrace -q -s /dev/stdin 5 word <<-'END'
	dtrace:::BEGIN { printf("%d %s\n", $1, $$2); exit(0); }
	END
