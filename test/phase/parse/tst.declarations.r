declaration 5:1
  specs 5:1 typedef unsigned long long
  declarator 5:28 big
declaration 6:1
  specs 6:1 big
  declarator 6:5 value
    pointer 6:4
declaration 7:1
  specs 7:1 self string
  declarator 7:13 name
declaration 8:1
  specs 8:1 int
  declarator 8:5 list
    array 8:9
      int 8:10 3
    array 8:12
      int 8:13 5
  declarator 8:18 both
    array 8:22
      int 8:23 2
    pointer 8:17
  declarator 8:27 assoc
    tuple
      param 8:33
        specs 8:33 int
        declarator 8:36
      param 8:38
        specs 8:38 string
        declarator 8:44
declaration 9:1
  specs 9:1 extern int
  declarator 9:14 handler
    pointer 9:13
    function variadic
      param 9:23
        specs 9:23 int
        declarator 9:26
      param 9:28
        specs 9:28 const char
        declarator 9:39
          pointer 9:39 r
declaration 10:1
  specs 10:1 struct node { ... }
    member 11:2
      specs 11:2 struct node
      declarator 11:15 next
        pointer 11:14
    member 12:2
      specs 12:2 unsigned
      declarator 12:11 flags
      width
        int 12:17 3
    member 12:2
      specs 12:2 unsigned
      declarator 12:2
      width
        int 12:21 5
    member 13:2
      specs 13:2 union { ... }
        member 13:10
          specs 13:10 int
          declarator 13:14 i
        member 13:17
          specs 13:17 char
          declarator 13:22 c
            array 13:23
              int 13:24 4
      declarator 13:2
    member 14:2
      specs 14:2 enum colour { ... }
        enumerator 14:16 RED
        enumerator 14:21 GREEN
          binary 14:29 <<
            int 14:29 1
            int 14:34 2
      declarator 14:39 colour
declaration 16:1
  specs 16:1 struct forward
inline 17:1
  specs 17:8 string
  declarator 17:15 state
    tuple
      param 17:21
        specs 17:21 int
        declarator 17:25 s
  value
    conditional 17:30
      binary 17:30 ==
        ident 17:30 s
        int 17:35 0
      string 17:39 "idle"
      string 17:48 "busy"
