== g++ -O0
first args[1]: [D_ARGS_PLACE] its position depends on an earlier parameter, or on the result, whose position is not known
first args[2]: [D_ARGS_PLACE] its position depends on an earlier parameter, or on the result, whose position is not known
middle args[0]: right
middle args[3]: [D_ARGS_PLACE] its position depends on an earlier parameter, or on the result, whose position is not known
== g++ -O2
first args[1]: right
first args[2]: right
middle args[0]: right
middle args[3]: right
== clang++-19 -O0
first args[1]: [D_ARGS_PLACE] its position depends on an earlier parameter, or on the result, whose position is not known
first args[2]: [D_ARGS_PLACE] its position depends on an earlier parameter, or on the result, whose position is not known
middle args[0]: right
middle args[3]: [D_ARGS_PLACE] its position depends on an earlier parameter, or on the result, whose position is not known
== clang++-19 -O2
first args[1]: right
first args[2]: right
middle args[0]: right
middle args[3]: right
