== g++ -O0
first args[1]: [D_ARGS_PLACE] its debug information does not say how it is passed, and it may not be as in C
first args[2]: [D_ARGS_PLACE] its debug information does not say how it is passed, and it may not be as in C
middle args[0]: right
middle args[3]: [D_ARGS_PLACE] its debug information does not say how it is passed, and it may not be as in C
== g++ -O2
first args[1]: right
first args[2]: right
middle args[0]: right
middle args[3]: right
== clang++-19 -O0
first args[1]: [D_ARGS_PLACE] its debug information does not say how it is passed, and it may not be as in C
first args[2]: [D_ARGS_PLACE] its debug information does not say how it is passed, and it may not be as in C
middle args[0]: right
middle args[3]: [D_ARGS_PLACE] its debug information does not say how it is passed, and it may not be as in C
== clang++-19 -O2
first args[1]: right
first args[2]: right
middle args[0]: right
middle args[3]: right
