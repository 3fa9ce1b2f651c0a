deep|2|true|null|-1.5e3
text|[]|{}|[1, 2, {"c": "deep"}]
1 1 1 1
20 v

