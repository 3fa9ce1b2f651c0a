trace {"value": 2, "name": "ENOENT"}
trace {"value": 9999}
printf {"values": [7, 13, 9], "value_names": [null, "EACCES", "SIGKILL"]}
printf {"values": [1]}
printa {}
[{"keys": [15, 3], "key_names": ["SIGTERM", null], "value": 1}]
exit {}
n [{"keys": [4]}]
