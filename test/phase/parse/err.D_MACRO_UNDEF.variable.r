[D_MACRO_UNDEF] line 1: macro variable $nosuch is not defined
  1 | BEGIN { trace($nosuch); }
    |               ^~~~~~~
  note: variables of a D program have no $: write x, this->x or self->x
