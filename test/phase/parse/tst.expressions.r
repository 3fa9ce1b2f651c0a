clause 5:1
  probe 5:1 :::BEGIN
  body
    statement 7:2
      assign 7:2 =
        ident 7:2 a
        conditional 7:6
          binary 7:6 +
            ident 7:6 b
            binary 7:10 *
              ident 7:10 c
              unary 7:14 -
                ident 7:15 d
          char 7:19 101
          int 7:25 16ul
    statement 8:2
      assign 8:2 <<=
        ident 8:2 f
        cast 8:8
          type 8:9
            specs 8:9 int
            declarator 8:13
              pointer 8:13
          index 8:15
            member 8:15 .i
              member 8:15 ->h
                ident 8:15 g
            int 8:22 1
            string 8:25 "k"
    statement 9:2
      comma 9:2
        unary 9:2 ++
          ident 9:4 j
        postfix 9:7 --
          ident 9:7 k
    statement 10:2
      binary 10:2 +
        sizeof 10:2
          type 10:10
            specs 10:10 struct s
            declarator 10:19
              array 10:19
                int 10:20 3
        sizeof 10:26
          ident 10:33 l
    statement 11:2
      stringof 11:2
        member 11:11 ->comm
          ident 11:11 curthread
    statement 12:2
      binary 12:2 ^^
        offsetof 12:2 m
          type 12:11
            specs 12:11 struct s
        member 12:27 ->o
          xlate 12:27
            type 12:34
              specs 12:34 id_t
              declarator 12:39
                pointer 12:39
            ident 12:42 n
    statement 13:2
      assign 13:2 =
        aggregation 13:2 @_
        call 13:6
          ident 13:6 count
    statement 14:2
      unary 14:2 &
        ident 14:3 `p
    statement 15:2
      assign 15:2 =
        scoped 15:2 this->q
        scoped 15:12 self->r
