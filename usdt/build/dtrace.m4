# SPDX-License-Identifier: Apache-2.0
# dtrace.m4 serial 2
#
# DTRACE_PROBES([ACTION-IF-ENABLED], [ACTION-IF-NOT])
#   Adds --enable-dtrace[=yes|no|auto] (auto), looks for the command, and sees that it makes a header that compiles.
#   Sets DTRACE to the command, the conditional ENABLE_DTRACE for automake, and defines ENABLE_DTRACE in the
#   configuration header. DTRACE_HEADER is a command that makes a header of a definition file; where dtrace is absent or
#   disabled, one with empty macros. A rule for Makefile.am or Makefile.in:
#
#       BUILT_SOURCES = probes.h
#       probes.h: probes.d
#               $(DTRACE_HEADER) $(srcdir)/probes.d $@
#
#   The header has all that is needed; `$(DTRACE) -G` need not run. The empty macros are for definition files with the
#   name of a provider or a probe on the line of its keyword.
AC_DEFUN([DTRACE_PROBES], [
  AC_ARG_ENABLE([dtrace],
    [AS_HELP_STRING([--enable-dtrace], [build with probes for dtrace, SystemTap and bpftrace @<:@auto@:>@])],
    [], [enable_dtrace=auto])
  AC_ARG_VAR([DTRACE], [the dtrace command])
  have_dtrace=no
  AS_IF([test "x$enable_dtrace" != xno], [
    AC_PATH_PROG([DTRACE], [dtrace])
    AS_IF([test -n "$DTRACE"], [
      AC_MSG_CHECKING([whether $DTRACE makes headers that compile])
      AC_LANG_PUSH([C])
      echo 'provider conftest { probe fire(int); };' > conftest_probes.d
      AS_IF(["$DTRACE" -h -s conftest_probes.d -o conftest_probes.h 2>&AS_MESSAGE_LOG_FD], [
        AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[#include "conftest_probes.h"]],
            [[if (CONFTEST_FIRE_ENABLED()) CONFTEST_FIRE(1);]])],
          [have_dtrace=yes])
      ])
      rm -f conftest_probes.d conftest_probes.h
      AC_LANG_POP([C])
      AC_MSG_RESULT([$have_dtrace])
    ])
    AS_IF([test "x$enable_dtrace" = xyes && test "x$have_dtrace" = xno],
      [AC_MSG_ERROR([--enable-dtrace was given, but no usable dtrace was found])])
  ])
  m4_ifdef([AM_CONDITIONAL], [AM_CONDITIONAL([ENABLE_DTRACE], [test "x$have_dtrace" = xyes])])
  AC_SUBST([DTRACE_HEADER], ['$(SHELL) "'`pwd`'/dtrace-header"'])
  dtrace_command=
  AS_IF([test "x$have_dtrace" = xyes], [dtrace_command=$DTRACE])
  AC_CONFIG_COMMANDS([dtrace-header], [_DTRACE_HEADER_SCRIPT], [dtrace_command='$dtrace_command'])
  AS_IF([test "x$have_dtrace" = xyes], [
    AC_DEFINE([ENABLE_DTRACE], [1], [Define to 1 to build with probes.])
    $1
  ], [
    m4_default([$2], [:])
  ])
])

# The script dtrace-header, written by config.status. Its awk program is that of empty_probes.awk.
m4_define([_DTRACE_HEADER_SCRIPT], [[
cat >dtrace-header <<_DTRACE_END
#! /bin/sh
# Made by configure. usage: dtrace-header FILE.d FILE.h
dtrace='$dtrace_command'
_DTRACE_END
cat >>dtrace-header <<\_DTRACE_END
if test -n "$dtrace"; then
  exec "$dtrace" -h -s "@S|@1" -o "@S|@2"
fi
awk '
/^[ \t]*provider[ \t]/ {
  provider = toupper(@S|@2)
  sub(/\{.*/, "", provider)
}
/^[ \t]*probe[ \t]/ {
  name = @S|@0
  sub(/^[ \t]*probe[ \t]+/, "", name)
  sub(/[^A-Za-z0-9_].*/, "", name)
  gsub(/__/, "_", name)
  name = provider "_" toupper(name)
  print "#define " name "(...) ((void) 0)"
  print "#define " name "_ENABLED() (0)"
}
' "@S|@1" >"@S|@2"
_DTRACE_END
chmod +x dtrace-header
]])
