<none> read by a buffer 131072
<none> written by a buffer 196608
other written by the cache 65536
