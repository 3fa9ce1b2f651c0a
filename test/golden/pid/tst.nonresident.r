waiting:
file: present 0, 1
constants: present 0, 1
zeros: present 0, 1
"in a file" 97
"far away" 32
"" 0
faults 0

not waiting:
file: present 0, 0
constants: present 0, 0
zeros: present 0, 0
faults 3
