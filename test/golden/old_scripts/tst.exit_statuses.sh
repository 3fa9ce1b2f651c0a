#!/bin/sh
# ASSERTION: exit statuses of scripts, output files that are written and appended to, and freopen.
cd $tmpdir
$dtrace -qn 'dtrace:::BEGIN { exit(3); }'; echo "status $?"
$dtrace -qn 'dtrace:::BEGIN { printf("one\n"); exit(0); }' -o log
$dtrace -qn 'dtrace:::BEGIN { printf("two\n"); exit(0); }' -o log
cat log
$dtrace -qwn 'dtrace:::BEGIN { freopen("%s.txt", "other"); printf("elsewhere\n"); freopen(""); printf("here\n"); exit(0); }' 2>/dev/null
cat other.txt
$dtrace -xerrtags -qn 'dtrace:::BEGIN { nosuch(1); }' 2>/dev/null; echo "status $?"
