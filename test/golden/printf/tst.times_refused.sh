#!/bin/bash
# ASSERTION: what is wrong with a time's format is reported; option strict has %Y alone.
# SECTION: Printing/Formats
exec 2>&1
for format in '%.10Y' '%{%T' '%{}Y' '%{%T}d' '%{%T}'; do
	"$dtrace" -xerrtags -qn "BEGIN { printf(\"$format\n\", walltimestamp); }"
done
for format in '%Y' '%.3Y' '%{%T}Y'; do
	"$dtrace" -xerrtags -xstrict -qn "BEGIN { printf(\"$format\", (uint64_t)0); exit(0); }"
done
echo
exit 0
