a.json: json
b.csv: csv
c.folded: folded
d.svg: svg
e.pb.gz: gzip
f.txt: text
g.json.txt: text
h.json:text: text
i.json, format=text: text
dtrace: -o j.html: several formats are of that ending: write -o j.html:flame, -o j.html:heatmap, or -o j.html:text
status 1
