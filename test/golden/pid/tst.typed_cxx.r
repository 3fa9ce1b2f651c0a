== g++ -O0
scale 21 round 2 200 1 4
cast 21 1
returns 42
reference 21 round 5
copy 71 8
template -9 4
result by address 44
returned 88
== clang++-19 -O0
== g++ -O2
== clang++-19 -O2
== g++ -O3
== clang++-19 -O3
