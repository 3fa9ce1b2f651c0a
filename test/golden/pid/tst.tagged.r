2a: /dev/null /dev/null 1020304 / /dev de
opens /dev/zero
2a: /dev/zero /dev/zero 1020304 / /dev de

