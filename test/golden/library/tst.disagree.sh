#!/bin/bash
# ASSERTION: D libraries that disagree, or depend on what is not there, are named when a program needs what they define;
# programs that need nothing of them run. One with a syntax error, in a directory of -L, is an error for all programs.
# SECTION: Translators, inlines, libraries
. ../../runner/show.sh
mkdir one two broken syntax
cat >one/first.d <<'D'
typedef struct shape { int sh_sides; } shape_t;
inline int sides_of_square = 4;
translator shape_t < struct task_struct *T > { sh_sides = 3; };
D
cat >two/second.d <<'D'
typedef struct shape { long sh_sides; } shape_t;
inline int sides_of_square = 4;
translator shape_t < struct task_struct *S > { sh_sides = 5; };
D
printf '#pragma D depends_on library gone.d\ninline int needs_gone = 1;\n' >broken/needs.d
printf 'inline int in_broken = 1 +;\n' >syntax/broken.d
libs="-L one -L two -L broken"
run $libs -qn 'BEGIN { trace(sides_of_square); exit(0); }'
run $libs -qn 'BEGIN { trace(xlate<shape_t *>(curthread)->sh_sides); exit(0); }'
run $libs -qn 'BEGIN { trace(sizeof (shape_t)); exit(0); }'
run $libs -qn 'BEGIN { trace(needs_gone); exit(0); }'
run -L one -L syntax -qn 'BEGIN { trace(sides_of_square); exit(0); }'
exit 0
