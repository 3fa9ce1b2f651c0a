provider 5:1 shop
  probe 6:8 order__start
    native
      param 6:21
        specs 6:21 int
        declarator 6:25 id
      param 6:29
        specs 6:29 char
        declarator 6:35 who
          pointer 6:34
  probe 7:8 order__done
    native
      param 7:20
        specs 7:20 int
        declarator 7:23
      param 7:25
        specs 7:25 struct item
        declarator 7:38 it
          pointer 7:37
    translated
      param 7:45
        specs 7:45 item_t
        declarator 7:53 it
          pointer 7:52
  probe 8:8 idle
    native
  probe 9:8 any
    native variadic
      param 9:12
        specs 9:12 opaque
        declarator 9:19
          pointer 9:19
      param 9:22
        specs 9:22 int
        declarator 9:26 string
