# SPDX-License-Identifier: Apache-2.0
# dtrace.m4 serial 1
#
# DTRACE_PROBES([ACTION-IF-ENABLED], [ACTION-IF-NOT])
#   Adds --enable-dtrace[=yes|no|auto] (auto), looks for the command, and sees that it makes a header that compiles.
#   Sets DTRACE to the command, the conditional ENABLE_DTRACE for automake, and defines ENABLE_DTRACE in the
#   configuration header. A rule for the header, in Makefile.am or Makefile.in:
#
#       BUILT_SOURCES = probes.h
#       probes.h: probes.d
#               $(DTRACE) -h -s $(srcdir)/probes.d -o $@
#
#   The header has all that is needed; `$(DTRACE) -G` need not run.
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
  AS_IF([test "x$have_dtrace" = xyes], [
    AC_DEFINE([ENABLE_DTRACE], [1], [Define to 1 to build with probes.])
    $1
  ], [
    m4_default([$2], [:])
  ])
])
