#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The files of contrib/ are what their readers take: a unit that systemd loads, manifests and a dashboard that parse, and which
# name metrics and options that there are.
# usage: contrib.sh SOURCE_FOLDER BUILD_FOLDER
set -eu
source=$1 build=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
python3=/usr/bin/python3
"$python3" -c 'import yaml' 2>/dev/null || { echo "python3-yaml is not installed"; exit 77; }
"$python3" - "$source" <<'PYTHON'
import json, re, sys, yaml

source = sys.argv[1]
text = open(f'{source}/contrib/daemonset.yaml').read()
kinds = {document['kind']: document for document in yaml.safe_load_all(text)}
assert set(kinds) == {'ConfigMap', 'DaemonSet'}, kinds.keys()
pod = kinds['DaemonSet']['spec']['template']
container = pod['spec']['containers'][0]
assert '--serve' in container['args'] and container['args'][-1] == '/etc/dtrace/script.d'
volume = pod['spec']['volumes'][0]['configMap']['name']
assert volume == kinds['ConfigMap']['metadata']['name'] and list(kinds['ConfigMap']['data']) == ['script.d']
assert pod['metadata']['labels'] == kinds['DaemonSet']['spec']['selector']['matchLabels']
port = pod['metadata']['annotations']['prometheus.io/port']
assert int(port) == container['ports'][0]['containerPort'] and container['args'][1].endswith(':' + port)
board = json.load(open(f'{source}/contrib/grafana-dashboard.json'))
ids = [panel['id'] for panel in board['panels']]
assert len(ids) == len(set(ids)) and all(panel['targets'] for panel in board['panels'])
documented = open(f'{source}/doc/metrics.md').read()
for name in set(re.findall(r'\bdtrace_[a-z_]+[a-z]\b', json.dumps(board))):
    assert name in documented, name
PYTHON
command -v systemd-analyze >/dev/null || { echo "systemd-analyze is not there: the unit was not verified"; exit 0; }
# The command that it names need not be installed here.
sed "s#^ExecStart=[^ ]*#ExecStart=/bin/true#; /^Documentation/d" "$build/dtrace@.service" >"$scratch/dtrace@.service"
cp "$scratch/dtrace@.service" "$scratch/dtrace@name.service"
said=$(systemd-analyze verify "$scratch/dtrace@name.service" 2>&1) || { echo "$said"; exit 1; }
[ -z "$said" ] || { echo "$said"; exit 1; }
