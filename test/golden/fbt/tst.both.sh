#!/bin/bash
# ASSERTION: a function that is in fbt and in rawfbt fires in each, under its name, also when one program asks for both.
# SECTION: Providers, 6
"$dtrace" -qn '
fbt::do_nanosleep:entry, rawfbt::do_nanosleep:entry, fbt::do_nanosleep:return, rawfbt::do_nanosleep:return
/pid == $target/ { @[probeprov, probename] = count(); }
fbt::do_nanosleep:entry /pid == $target/ { @alone["fbt"] = count(); }
rawfbt::do_nanosleep:entry /pid == $target/ { @alone["rawfbt"] = count(); }
END { printa("%s %s %@d\n", @); printa("%s %@d\n", @alone); }' -c "$triggers/naps 5"
