== printf("%s|%d|%s|%d of %d\n", args[0], args[1], args[2]->Name, args[3].len, args[3].capacity);
171
hello, gopher|42|shelf|2 of 2
|0||0 of 0
long long long long long long long long long long long long long long long long long long long long |1|shelf|3 of 9

== trace(args[0]); trace(args[0].len);
171
hello, gopher130long long long long long long long long long long long long long long long long long long long long 100
== print(args[0]);
171
string "hello, gopher"string ""string "long long long long long long long long long long long long long long long long long long long long "
== @[stringof(args[0])] = count();
171

                                                                    1
  hello, gopher                                                     1
  long long long long long long long long long long long long long long long long long long long long                 1
== printf("%d %d\n", strlen(stringof(args[0])), args[2]->Tags.capacity);
171
13 4
0 0
100 4

== printf("%s\n", copyinstr((uintptr_t)args[0].ptr, 5));
171
hello
long 

