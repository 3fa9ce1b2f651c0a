sum 120100000
deep 1
main.deep return 40020
main.work entry 40000
main.work return 40000
sum 120100000
sum 120100000
instructions 1
sum 120100000
1
