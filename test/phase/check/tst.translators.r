variable this->raw : struct raw * scratch
program "tst.translators.d" matched 1
  clause :::BEGIN probes 1
    attributes Stable/Stable/Common of description Stable/Stable/Common
    evaluate
      assign : struct raw * scratch
        var this->raw : struct raw * scratch
        convert integer : struct raw * scratch
          call alloca : void * scratch
            int 24 : size_t
    evaluate
      assign : int
        member at bit 0 width 3 : int
          member at 0 : struct inner
            deref : struct raw
              var this->raw : struct raw * scratch
        int -1 : int
    action trace
      convert integer : int
        binary + : int
          member at bit 3 width 29 : int
            member at 0 : struct inner
              deref : struct raw
                var this->raw : struct raw * scratch
          int 1 : int
    action trace
      convert to-string : string(9)
        member at 4 : char [8]
          member at 0 : struct inner
            deref : struct raw
              member at 16 : struct raw *
                deref : struct raw
                  var this->raw : struct raw * scratch
    action trace
      address-of : char *
        element of 8 : char
          member at 4 : char [8]
            member at 0 : struct inner
              deref : struct raw
                member at 16 : struct raw *
                  deref : struct raw
                    var this->raw : struct raw * scratch
          int 2 : long
    action trace
      int 16 : int
