[D_MACRO_UNDEF] line 1: macro variable $nosuch is not defined
  1 | BEGIN { trace($nosuch); }
    |               ^~~~~~~
  note: variables of a program have no $: x, this->x, self->x
