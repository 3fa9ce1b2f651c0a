-- requests
/ 200: 10 bytes
/missing 404: 80 bytes
/news 200: 50 bytes
GET / fd 3 port 8000: 10
GET /missing fd 3 port 8000: 10
GET /news fd 3 port 8000: 10
fd 3: 30
latencies 30
-- over a socket
HTTP/1.0 200

HTTP/1.0 404

HTTP/1.0 200

GET /index port 1: 200
PUT /missing port 1: 404
GET /news port 1: 200
-- jobs
9 started, 9 done
priority 0: 3
priority 1: 3
priority 2: 3
