sum 6005000 0
deep
main.deep return 2001
main.work entry 2000
main.work return 2000
sum 6005000 0
sum 6005000 0
instructions
sum 6005000 0
many
