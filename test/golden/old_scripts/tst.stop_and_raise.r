raised
by the shell: lseek
end 1

stopped
went on: 10

