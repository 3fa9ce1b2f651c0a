sum 36915
catcher 90 36915
leaf 60 5430
passer 60 5550
sum 36915
thrower 60 5490
catcher 90 36915
leaf 60 5430
passer 60 5550
sum 36915
thrower 60 5490
