== 
3 z 5 1
4 w 7 0
2 x 7 2
1 y 9 3

status 0

        3  z                                                                 5
        2  x                                                                 7
        4  w                                                                 7
        1  y                                                                 9
        3  z                                                                 1
        2  x                                                                 2
        1  y                                                                 3
status 0
== -xaggsortrev
1 y 9 3
2 x 7 2
4 w 7 0
3 z 5 1

status 0

        1  y                                                                 3
        2  x                                                                 2
        3  z                                                                 1
        1  y                                                                 9
        4  w                                                                 7
        2  x                                                                 7
        3  z                                                                 5
status 0
== -xaggsortkey
1 y 9 3
2 x 7 2
3 z 5 1
4 w 7 0

status 0

        1  y                                                                 9
        2  x                                                                 7
        3  z                                                                 5
        4  w                                                                 7
        1  y                                                                 3
        2  x                                                                 2
        3  z                                                                 1
status 0
== -xaggsortkey -xaggsortrev
4 w 7 0
3 z 5 1
2 x 7 2
1 y 9 3

status 0

        3  z                                                                 1
        2  x                                                                 2
        1  y                                                                 3
        4  w                                                                 7
        3  z                                                                 5
        2  x                                                                 7
        1  y                                                                 9
status 0
== -xaggsortkey -xaggsortkeypos=1
4 w 7 0
2 x 7 2
1 y 9 3
3 z 5 1

status 0

        4  w                                                                 7
        2  x                                                                 7
        1  y                                                                 9
        3  z                                                                 5
        2  x                                                                 2
        1  y                                                                 3
        3  z                                                                 1
status 0
== -xaggsortkey -xaggsortkeypos=1 -xaggsortrev
3 z 5 1
1 y 9 3
2 x 7 2
4 w 7 0

status 0

        3  z                                                                 1
        1  y                                                                 3
        2  x                                                                 2
        3  z                                                                 5
        1  y                                                                 9
        2  x                                                                 7
        4  w                                                                 7
status 0
== -xaggsortpos=1
4 w 7 0
3 z 5 1
2 x 7 2
1 y 9 3

status 0

        3  z                                                                 5
        2  x                                                                 7
        4  w                                                                 7
        1  y                                                                 9
        3  z                                                                 1
        2  x                                                                 2
        1  y                                                                 3
status 0
== -xaggsortpos=1 -xaggsortrev
1 y 9 3
2 x 7 2
3 z 5 1
4 w 7 0

status 0

        1  y                                                                 3
        2  x                                                                 2
        3  z                                                                 1
        1  y                                                                 9
        4  w                                                                 7
        2  x                                                                 7
        3  z                                                                 5
status 0
== -xaggsortpos=7
3 z 5 1
4 w 7 0
2 x 7 2
1 y 9 3

status 0

        3  z                                                                 5
        2  x                                                                 7
        4  w                                                                 7
        1  y                                                                 9
        3  z                                                                 1
        2  x                                                                 2
        1  y                                                                 3
status 0
== -xaggsortkey -xaggsortkeypos=7
1 y 9 3
2 x 7 2
3 z 5 1
4 w 7 0

status 0

        1  y                                                                 9
        2  x                                                                 7
        3  z                                                                 5
        4  w                                                                 7
        1  y                                                                 3
        2  x                                                                 2
        3  z                                                                 1
status 0
== pragmas
$ dtrace -s pragma.d
4 w 7 0
3 z 5 1
2 x 7 2
1 y 9 3

status 0
== setopt
$ dtrace -qn BEGIN{setopt("aggsortkey"); setopt("aggsortkeypos", "1")} BEGIN{@a[3,"z"] = sum(5); @a[1,"y"] = sum(9); @a[2,"x"] = sum(7); @a[4,"w"] = sum(7); @b[3,"z"] = sum(1); @b[1,"y"] = sum(3); @b[2,"x"] = sum(2); exit(0)} END{printa("%d %s %@d\n", @a); setopt("aggsortkey", "no"); printa("%d %s %@d\n", @a); exit(0)}
4 w 7
2 x 7
1 y 9
3 z 5
3 z 5
4 w 7
2 x 7
1 y 9

        3  z                                                                 1
        2  x                                                                 2
        1  y                                                                 3
status 0
== -xagghist -xencoding=ascii
$ dtrace -q -xagghist -xencoding=ascii


              key  ------------- Distribution ------------- count    
             less               @@@@@@|                     -10      
              few                     |@@@                  5        
             many                     |@@@@@@@@@@@          20       
status 0
$ dtrace -q -xagghist -xencoding=ascii


      key  ------------- Distribution ------------- count    
        1 |@@@@@@@@                                 5        
        2 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@         20       
status 0
$ dtrace -q -xagghist -xencoding=ascii

  a                                                 
           value  ------------- Distribution ------------- count    
               4 |                                         0        
               8 |@@@@@@@@@@@@@@@@@@@@                     1        
              16 |                                         0        
              32 |                                         0        
              64 |@@@@@@@@@@@@@@@@@@@@                     1        
             128 |                                         0        

  b                                                 
           value  ------------- Distribution ------------- count    
               1 |                                         0        
               2 |@@@@@@@@@@@@@                            1        
               4 |                                         0        
               8 |                                         0        
              16 |                                         0        
              32 |                                         0        
              64 |@@@@@@@@@@@@@@@@@@@@@@@@@@@              2        
             128 |                                         0        

status 0
$ dtrace -q -xagghist -xencoding=ascii


           value  ------------- Distribution ------------- count    
             < 0 |@@@@@@@@@@                               1        
               0 |@@@@@@@@@@                               1        
              10 |                                         0        
              20 |                                         0        
              30 |                                         0        
              40 |                                         0        
              50 |@@@@@@@@@@                               1        
              60 |                                         0        
              70 |                                         0        
              80 |                                         0        
              90 |                                         0        
          >= 100 |@@@@@@@@@@                               1        

status 0
== -xagghist -xencoding=utf8
$ dtrace -q -xagghist -xencoding=utf8


              key  ------------- Distribution ------------- count    
             less               @@@@@@|                     -10      
              few                     |@@@                  5        
             many                     |@@@@@@@@@@@          20       
status 0
$ dtrace -q -xagghist -xencoding=utf8


      key  ------------- Distribution ------------- count    
        1 |████████                                 5        
        2 |████████████████████████████████         20       
status 0
$ dtrace -q -xagghist -xencoding=utf8

  a                                                 
           value  ------------- Distribution ------------- count    
               4 |                                         0        
               8 |████████████████████                     1        
              16 |                                         0        
              32 |                                         0        
              64 |████████████████████                     1        
             128 |                                         0        

  b                                                 
           value  ------------- Distribution ------------- count    
               1 |                                         0        
               2 |█████████████▎                           1        
               4 |                                         0        
               8 |                                         0        
              16 |                                         0        
              32 |                                         0        
              64 |██████████████████████████▋              2        
             128 |                                         0        

status 0
$ dtrace -q -xagghist -xencoding=utf8


           value  ------------- Distribution ------------- count    
             < 0 |██████████                               1        
               0 |██████████                               1        
              10 |                                         0        
              20 |                                         0        
              30 |                                         0        
              40 |                                         0        
              50 |██████████                               1        
              60 |                                         0        
              70 |                                         0        
              80 |                                         0        
              90 |                                         0        
          >= 100 |██████████                               1        

status 0
== -xagghist -xaggzoom -xencoding=ascii
$ dtrace -q -xagghist -xaggzoom -xencoding=ascii


              key  ------------- Distribution ------------- count    
             less           @@@@@@@@@@|                     -10      
              few                     |@@@@@                5        
             many                     |@@@@@@@@@@@@@@@@@@@  20       
status 0
$ dtrace -q -xagghist -xaggzoom -xencoding=ascii


      key  ------------- Distribution ------------- count    
        1 |@@@@@@@@@@                               5        
        2 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@   20       
status 0
$ dtrace -q -xagghist -xaggzoom -xencoding=ascii

  a                                                 
           value  ------------- Distribution ------------- count    
               4 |                                         0        
               8 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@   1        
              16 |                                         0        
              32 |                                         0        
              64 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@   1        
             128 |                                         0        

  b                                                 
           value  ------------- Distribution ------------- count    
               1 |                                         0        
               2 |@@@@@@@@@@@@@@@@@@@                      1        
               4 |                                         0        
               8 |                                         0        
              16 |                                         0        
              32 |                                         0        
              64 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@   2        
             128 |                                         0        

status 0
$ dtrace -q -xagghist -xaggzoom -xencoding=ascii


           value  ------------- Distribution ------------- count    
             < 0 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@   1        
               0 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@   1        
              10 |                                         0        
              20 |                                         0        
              30 |                                         0        
              40 |                                         0        
              50 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@   1        
              60 |                                         0        
              70 |                                         0        
              80 |                                         0        
              90 |                                         0        
          >= 100 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@   1        

status 0
== -xaggzoom -xencoding=ascii
$ dtrace -q -xaggzoom -xencoding=ascii

  less                                                            -10
  few                                                               5
  many                                                             20
status 0
$ dtrace -q -xaggzoom -xencoding=ascii

        1                5
        2               20
status 0
$ dtrace -q -xaggzoom -xencoding=ascii

  a                                                 
           value  ------------- Distribution ------------- count    
               4 |                                         0        
               8 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@   1        
              16 |                                         0        
              32 |                                         0        
              64 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@   1        
             128 |                                         0        

  b                                                 
           value  ------------- Distribution ------------- count    
               1 |                                         0        
               2 |@@@@@@@@@@@@@@@@@@@                      1        
               4 |                                         0        
               8 |                                         0        
              16 |                                         0        
              32 |                                         0        
              64 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@   2        
             128 |                                         0        

status 0
$ dtrace -q -xaggzoom -xencoding=ascii


           value  ------------- Distribution ------------- count    
             < 0 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@   1        
               0 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@   1        
              10 |                                         0        
              20 |                                         0        
              30 |                                         0        
              40 |                                         0        
              50 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@   1        
              60 |                                         0        
              70 |                                         0        
              80 |                                         0        
              90 |                                         0        
          >= 100 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@   1        

status 0
== -xaggzoom -xencoding=utf8
$ dtrace -q -xaggzoom -xencoding=utf8

  less                                                            -10
  few                                                               5
  many                                                             20
status 0
$ dtrace -q -xaggzoom -xencoding=utf8

        1                5
        2               20
status 0
$ dtrace -q -xaggzoom -xencoding=utf8

  a                                                 
           value  ------------- Distribution ------------- count    
               4 |                                         0        
               8 |██████████████████████████████████████   1        
              16 |                                         0        
              32 |                                         0        
              64 |██████████████████████████████████████   1        
             128 |                                         0        

  b                                                 
           value  ------------- Distribution ------------- count    
               1 |                                         0        
               2 |███████████████████                      1        
               4 |                                         0        
               8 |                                         0        
              16 |                                         0        
              32 |                                         0        
              64 |██████████████████████████████████████   2        
             128 |                                         0        

status 0
$ dtrace -q -xaggzoom -xencoding=utf8


           value  ------------- Distribution ------------- count    
             < 0 |██████████████████████████████████████   1        
               0 |██████████████████████████████████████   1        
              10 |                                         0        
              20 |                                         0        
              30 |                                         0        
              40 |                                         0        
              50 |██████████████████████████████████████   1        
              60 |                                         0        
              70 |                                         0        
              80 |                                         0        
              90 |                                         0        
          >= 100 |██████████████████████████████████████   1        

status 0
== -xaggpack -xencoding=ascii
$ dtrace -q -xaggpack -xencoding=ascii

  less                                                            -10
  few                                                               5
  many                                                             20
status 0
$ dtrace -q -xaggpack -xencoding=ascii

        1                5
        2               20
status 0
$ dtrace -q -xaggpack -xencoding=ascii


              key  min .--------. max  | count
                a    1 :   x  x : 128  | 2
                b    1 : x    x : 128  | 3
status 0
$ dtrace -q -xaggpack -xencoding=ascii


     min .------------. max      | count
     < 0 :xx    x    x: >= 100   | 4
status 0
== -xaggpack -xencoding=utf8
$ dtrace -q -xaggpack -xencoding=utf8

  less                                                            -10
  few                                                               5
  many                                                             20
status 0
$ dtrace -q -xaggpack -xencoding=utf8

        1                5
        2               20
status 0
$ dtrace -q -xaggpack -xencoding=utf8


              key  min .--------. max  | count
                a    1 :   ▅  ▅ : 128  | 2
                b    1 : ▃    ▆ : 128  | 3
status 0
$ dtrace -q -xaggpack -xencoding=utf8


     min .------------. max      | count
     < 0 :▃▃    ▃    ▃: >= 100   | 4
status 0
== -xaggpack -xaggzoom -xencoding=ascii
$ dtrace -q -xaggpack -xaggzoom -xencoding=ascii

  less                                                            -10
  few                                                               5
  many                                                             20
status 0
$ dtrace -q -xaggpack -xaggzoom -xencoding=ascii

        1                5
        2               20
status 0
$ dtrace -q -xaggpack -xaggzoom -xencoding=ascii


              key  min .--------. max  | count
                a    1 :   X  X : 128  | 2
                b    1 : x    X : 128  | 3
status 0
$ dtrace -q -xaggpack -xaggzoom -xencoding=ascii


     min .------------. max      | count
     < 0 :XX    X    X: >= 100   | 4
status 0
== -xaggpack -xagghist -xaggsortrev -xencoding=ascii
$ dtrace -q -xaggpack -xagghist -xaggsortrev -xencoding=ascii


              key  ------------- Distribution ------------- count    
             many                     |@@@@@@@@@@@          20       
              few                     |@@@                  5        
             less               @@@@@@|                     -10      
status 0
$ dtrace -q -xaggpack -xagghist -xaggsortrev -xencoding=ascii


      key  ------------- Distribution ------------- count    
        2 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@         20       
        1 |@@@@@@@@                                 5        
status 0
$ dtrace -q -xaggpack -xagghist -xaggsortrev -xencoding=ascii


              key  min .--------. max  | count
                b    1 : x    x : 128  | 3
                a    1 :   x  x : 128  | 2
status 0
$ dtrace -q -xaggpack -xagghist -xaggsortrev -xencoding=ascii


     min .------------. max      | count
     < 0 :xx    x    x: >= 100   | 4
status 0
== stack
1
== single
$ dtrace -qxagghist -n BEGIN{@c = count(); @[1] = avg(2); exit(0)}

                1
        1                2
status 0
== by CPU
$ dtrace -qxaggpercpu -xcpu=0 -n BEGIN{@ = count(); @k[1] = avg(4); exit(0)}

                1
    [CPU 0]                1
        1                4
    [CPU 0]                4
status 0
== rate
$ dtrace -qxaggrate=1ms -n BEGIN{@ = count()} tick-10ms{@ = count(); n++} tick-10ms/n == 5/{exit(0)} END{printa("%@d\n", @)}
6

status 0
