$ dtrace -qn BEGIN{@[2,"c"]=sum(5);@[1,"b"]=sum(3);@[3,"a"]=sum(9);exit(0)}

        1  b                                                                 3
        2  c                                                                 5
        3  a                                                                 9
status 0
$ dtrace -q -xaggsortrev -n BEGIN{@[2,"c"]=sum(5);@[1,"b"]=sum(3);@[3,"a"]=sum(9);exit(0)}

        3  a                                                                 9
        2  c                                                                 5
        1  b                                                                 3
status 0
$ dtrace -q -xaggsortkey -n BEGIN{@[2,"c"]=sum(5);@[1,"b"]=sum(3);@[3,"a"]=sum(9);exit(0)}

        1  b                                                                 3
        2  c                                                                 5
        3  a                                                                 9
status 0
$ dtrace -q -xaggsortkey -xaggsortkeypos=1 -n BEGIN{@[2,"c"]=sum(5);@[1,"b"]=sum(3);@[3,"a"]=sum(9);exit(0)}

        3  a                                                                 9
        1  b                                                                 3
        2  c                                                                 5
status 0
$ dtrace -q -xaggsortkey -xaggsortrev -n BEGIN{@[2,"c"]=sum(5);@[1,"b"]=sum(3);@[3,"a"]=sum(9);exit(0)}

        3  a                                                                 9
        2  c                                                                 5
        1  b                                                                 3
status 0
$ dtrace -qn BEGIN{setopt("aggsortrev")} BEGIN{@[1]=sum(5);@[2]=sum(3);exit(0)}

        1                5
        2                3
status 0
$ dtrace -qn BEGIN{@a[1]=sum(5);@b[1]=sum(1);@a[2]=sum(3);@b[2]=sum(2);exit(0)} END{printa("%d %@d %@d\n", @a, @b)}
2 3 2
1 5 1

status 0
$ dtrace -q -xaggsortpos=1 -n BEGIN{@a[1]=sum(5);@b[1]=sum(1);@a[2]=sum(3);@b[2]=sum(2);exit(0)} END{printa("%d %@d %@d\n", @a, @b)}
1 5 1
2 3 2

status 0
$ dtrace -q -xagghist -n BEGIN{@[2,"c"]=sum(5);@[1,"b"]=sum(3);exit(0)}


                       key  ------------- Distribution ------------- count    
        1                b |@@@@@@@@@@@@@@@                          3        
        2                c |@@@@@@@@@@@@@@@@@@@@@@@@@                5        
status 0
$ dtrace -q -xaggzoom -n BEGIN{@[2]=quantize(5);@[2]=quantize(3);@[2]=quantize(3);exit(0)}

        2
           value  ------------- Distribution ------------- count    
               1 |                                         0        
               2 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@   2        
               4 |@@@@@@@@@@@@@@@@@@@                      1        
               8 |                                         0        

status 0
$ dtrace -q -xencoding=ascii -xaggpack -n BEGIN{@[2]=quantize(5);@[2]=quantize(3);exit(0)}


      key  min .----. max  | count
        2    1 : xx : 8    | 2
status 0
