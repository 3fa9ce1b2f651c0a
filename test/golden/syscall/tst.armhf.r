armhf
began
ended: 1, 7
