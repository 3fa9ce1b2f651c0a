ENOENT 0 9999 1
SIGKILL 9
EOPNOTSUPP 95 95

  EACCES                                              SIGINT                                                            1
