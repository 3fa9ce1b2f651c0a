ok: frames have names
ok: samples are counted
