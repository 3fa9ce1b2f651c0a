variable p : struct point
variable narrow : int8_t
variable this->a : unsigned long long
variable self->s : string
variable a[int, string(2)] : int
variable x : int64_t
program "tst.statements.d" matched 1
  clause :::BEGIN probes 1
    attributes Stable/Stable/Common of description Stable/Stable/Common
    predicate
      binary > : int
        builtin pid : pid_t
        int 2 : pid_t
    evaluate
      assign : int
        member at 0 : int
          var p : struct point
        int 1 : int
    evaluate
      assign : unsigned long long
        var this->a : unsigned long long
        binary + : unsigned long long
          convert integer : unsigned long long
            member at 0 : int
              var p : struct point
          int 2 : unsigned long long
    evaluate
      assign : int8_t
        var narrow : int8_t
        convert integer : int8_t
          var this->a : unsigned long long
    action trace
      int 6 : int
    action printf format 2
      builtin execname : string(16)
      var narrow : int8_t
    evaluate
      assign : string
        var self->s : string
        string "x" : string(2)
    evaluate
      assign : int
        element-of a : int
          int 1 : int
          string "k" : string(2)
        int 99 : int
    action trace
      conditional : int
        element-of a : int
          int 1 : int
          string "k" : string(2)
        member at 4 : int
          var p : struct point
        int -1 : int
    evaluate
      post-increment by 1 : int64_t
        var x : int64_t
    if
      binary > : int
        var x : int64_t
        int 3 : int64_t
    then
      action exit
        int 0 : int
    else
      evaluate
        assign |= in int : int
          member at 4 : int
            var p : struct point
          binary << : int
            int 1 : int
            var x : int64_t
