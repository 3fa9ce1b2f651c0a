original:entry: original 7 9
alias:entry: alias 7 9
alia?:entry: alias 7 9
without_size:entry: without_size 4 6
chosen:entry: chosen 4 6
_ZNK4shop*add*:entry: _ZNK4shop4Cart3addEi 4 6
shop??Cart??add*:entry: _ZNK4shop4Cart3addEi 4 6
*shop??scale*:entry: _ZN4shop5scaleIiEET_S1_ 4 6
