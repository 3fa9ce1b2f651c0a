-- prefork
ab /news.txt 200 0
ab /sub/large.bin 120 0
ab /missing 40 40
/missing 404 127.0.0.1 127.0.0.1 40 done
/news.txt 200 127.0.0.1 127.0.0.1 200 done
/sub/large.bin 200 127.0.0.1 127.0.0.1 120 done
GET /missing 40 started
GET /news.txt 200 started
GET /sub/large.bin 120 started
/missing sent
/news.txt sent
/sub/large.bin sent
latencies /missing 40
latencies /news.txt 200
latencies /sub/large.bin 120
ab /news.txt 30 0
ab /missing 10 10
status 200 30
status 404 10
ab /sub/large.bin 20 0
from 127.0.0.1 20
-- worker
ab /news.txt 200 0
ab /sub/large.bin 120 0
ab /missing 40 40
/missing 404 127.0.0.1 127.0.0.1 40 done
/news.txt 200 127.0.0.1 127.0.0.1 200 done
/sub/large.bin 200 127.0.0.1 127.0.0.1 120 done
GET /missing 40 started
GET /news.txt 200 started
GET /sub/large.bin 120 started
/missing sent
/news.txt sent
/sub/large.bin sent
latencies /missing 40
latencies /news.txt 200
latencies /sub/large.bin 120
ab /news.txt 30 0
ab /missing 10 10
status 200 30
status 404 10
ab /sub/large.bin 20 0
from 127.0.0.1 20
