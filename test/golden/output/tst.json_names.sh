#!/bin/bash
# ASSERTION: numbers that have names keep them in JSON: "name" beside a traced value, "value_names" and "key_names" beside
#   the values of printf() and the keys of aggregations; without a name nothing is added.
# SECTION: Output/JSON
exec 2>&1
"$dtrace" -xformat=json -qn 'BEGIN { trace(errno_name[2]); trace(errno_name[9999]); printf("%d %s %d", 7, errno_name[13], signal_name[9]);
	printf("%d", 1); @[signal_name[15], 3] = count(); @n[4] = count(); printa(@); exit(0); }' |
	python3 -c '
import json, sys
for line in sys.stdin:
    row = json.loads(line)
    for item in row.get("data", []):
        shown = {k: item[k] for k in ("value", "name", "values", "value_names") if k in item}
        print(item["action"], json.dumps(shown))
        for aggregation in item.get("aggregations", []): print(json.dumps(aggregation["entries"]))
    if row["type"] == "aggregation": print(row["name"], json.dumps([{k: e[k] for k in ("keys", "key_names") if k in e} for e in row["entries"]]))'
exit 0
