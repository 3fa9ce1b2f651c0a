[D_PRAGCTL_INVAL] line 1: invalid control directive: #include
  1 | #include <sys/types.h>
    |  ^~~~~~~
