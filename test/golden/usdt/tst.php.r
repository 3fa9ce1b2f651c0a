11 probes listed
thrown RuntimeException
caught RuntimeException
request-shutdown prog.php
price prog.php:3 Shop:: 4
work prog.php:5  4
price returned 4 times
work returned 4 times
