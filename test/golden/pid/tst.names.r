original:entry: original 7 9
alias:entry: alias 7 9
alia?:entry: alias 7 9
without_size:entry: without_size 4 6
chosen:entry: chosen 4 6
_ZNK4shop*add*:entry: shop::Cart::add(int) const 4 6
shop??Cart??add*:entry: shop::Cart::add(int) const 4 6
*shop??scale*:entry: int shop::scale<int>(int) 4 6
shop::Cart::add:entry: shop::Cart::add(int) const 4 6
shop::scale*:entry: int shop::scale<int>(int) 4 6
4 4 shop::Cart::add(int) const
4 4 shop::Cart::add(int) const
0 4 _ZNK4shop4Cart3addEi
== libc's strlen
strlen
== pick*
-l: pick entry
pick 5
== *_wide
-l: pick_wide entry
pick_wide 5
== pick
-l: pick entry
pick 5
== pick_wide
-l: pick_wide entry
pick_wide 5
== pick_ifunc
-l: pick_ifunc entry
pick_ifunc 5
== shop::Cart::add
-l: shop::Cart::add(int) const entry
shop::Cart::add(int) const 4
== _ZNK4shop4Cart3addEi
-l: shop::Cart::add(int) const entry
shop::Cart::add(int) const 4
== *scale*
-l: int shop::scale<int>(int) entry
int shop::scale<int>(int) 4
== -xdemangle=no
-l: _ZNK4shop4Cart3addEi entry
_ZNK4shop4Cart3addEi 4
== one name in probefunc, ustack() and ufunc()
shop::Cart::add(int) const
names`shop::Cart::add(int) const
names`shop::Cart::add(int) const
