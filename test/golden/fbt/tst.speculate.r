ok: functions of the failing call are shown
ok: once
ok: with the error
ok: and no other call
