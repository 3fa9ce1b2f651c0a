ok: functions of a library that is truncated
ok: static probes of a library that is truncated
ok: symbols of a library that is truncated
