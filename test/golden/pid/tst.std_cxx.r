== g++ -O0
equal
== g++ -O2
equal
== g++ -O2 -D_GLIBCXX_USE_CXX11_ABI=0
equal
== clang++-19 -O0
equal
== clang++-19 -O2
equal
== counted
1 CPU dt_clause_0 string cut at its size
