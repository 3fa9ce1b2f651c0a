ENOENT 0 9999 1
SIGKILL 9

  EACCES                                              SIGINT                                                            1
