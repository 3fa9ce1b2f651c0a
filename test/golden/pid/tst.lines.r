1 work 3
2 body 7
3 branch 1
4 other 2
5 store 5
6 return 3
8 late 1
gcc -O2: the same
gcc -O2 -gdwarf-4: the same
gcc -O1 -gz: the same
clang-19 -O0: the same
clang-19 -O2: the same
clang-19 -O1 -gdwarf-4: the same
== names
lines lines.c@11 line
== lists
lines lines.c@10 line
lines lines.c@11 line
lines lines.c@13 line
lines lines.c@14 line
lines lines.c@16 line
lines lines.c@17 line
lines lines.c@18 line
lines lines.c@19 line
2
== all processes
21
== children
14
== split debug information
5
== errors
[D_PROC_LINE] line 12 of lines.c has no code in lines; the nearest lines with code: 11 and 13
[D_PROC_LINE] line 4000 of lines.c has no code in lines; the nearest lines with code: 34
[D_PROC_LINE] line 1 of inlined.h has no code in lines; the nearest lines with code: 3
[D_PROC_LINE] lines has no code of a source file nothing.c; its files: dlfcn.h, inlined.h, lines.c
[D_PROC_NAME] 'work' is not a line: name a source file and a line, as in main.c@12
[D_PDESC_ZERO] probe description pidN:lines:nothing.c@*:line does not match any probes
[D_PROC_FUNC] failed to lookup 'lines.c@3' in module 'lines'
[D_PROC_LINE] lines has no debug information (compile with -g, or install its debug package)
[D_PROC_LINE] line 11 of lines.c was not found: some line tables of the file cannot be read, or have too many lines
