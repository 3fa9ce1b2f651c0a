#!/bin/bash
# ASSERTION: an enumerator, an extern and a variable that are declared again give both lines.
# SECTION: Errors
# @@tags: unprivileged
shown() { printf '%b' "$1" >"$tmpdir/program.d"; "$dtrace" -es "$tmpdir/program.d" 2>&1 | sed "s,$tmpdir/,,"; }
shown 'enum a { AA = 1 };\nenum b { AA = 2 };\nBEGIN { }\n'
shown 'extern int zz;\nextern long zz;\nBEGIN { }\n'
shown 'int zz;\n\nchar zz;\nBEGIN { }\n'
