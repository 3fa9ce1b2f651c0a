
  syscalls                                            lseek                                                             6
                0                3
                1                5
                2                7
                5
