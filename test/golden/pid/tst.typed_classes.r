gcc -O0: 11 calls, equal
clang-19 -O0: 9 calls, equal
g++ -O0: 7 calls, equal
clang++-19 -O0: 7 calls, equal
gcc -O1: 11 calls, equal
clang-19 -O1: 9 calls, equal
g++ -O1: 7 calls, equal
clang++-19 -O1: 7 calls, equal
gcc -O2: 11 calls, equal
clang-19 -O2: 9 calls, equal
g++ -O2: 7 calls, equal
clang++-19 -O2: 7 calls, equal
== refused
[D_ARGS_PLACE] in action list: the value of args[0] is not available in pidN:a.out:of_windows:entry: its debug information contradicts the calling convention of C, which the function may not have
[D_ARGS_PLACE] in action list: the value of args[4] is not available in pidN:a.out:of_windows:entry: its debug information contradicts the calling convention of C, which the function may not have
[D_ARGS_PLACE] in action list: the value of args[8] is not available in pidN:a.out:without_prototype:entry: its caller passes a double, because the function has no prototype
10
