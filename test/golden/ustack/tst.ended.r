program`spin
program`main
program`_start
