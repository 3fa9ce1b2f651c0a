[D_PRAGMA_OPTSET] line 1: failed to set option 'nosuch' to '3': Invalid option name
  1 | #pragma D option nosuch=3
    |                  ^~~~~~~~
