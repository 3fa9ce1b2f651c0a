all
lseek      3

only lseek
verbose
lseek      3

only nothing

all
verbose
lseek      3

