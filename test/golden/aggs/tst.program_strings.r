64

  a-longer-name                                                    64
  ab                                                               64
  abcdefg                                                          64
  abcdefgh                                                         64
  xxxxxxxxxxxxxxx                                                  64
  a-lo                                                      1               64
  ab                                                        1               64
  xxxx                                                      1               64
  abcd                                                      1              128
status 0
64

  a-longer-name                                                    64
  ab                                                               64
  abcdefg                                                          64
  abcdefgh                                                         64
  xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx                                  64
  a-lo                                                      1               64
  ab                                                        1               64
  xxxx                                                      1               64
  abcd                                                      1              128
status 0
64

  a-longer-name                                                    64
  ab                                                               64
  abcdefg                                                          64
  abcdefgh                                                         64
  xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx                         64
  a-lo                                                      1               64
  ab                                                        1               64
  xxxx                                                      1               64
  abcd                                                      1              128
status 0
64

  a-longer-name                                                    64
  ab                                                               64
  abcdefg                                                          64
  abcdefgh                                                         64
  xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx                         64
  a-lo                                                      1               64
  ab                                                        1               64
  xxxx                                                      1               64
  abcd                                                      1              128
status 0
