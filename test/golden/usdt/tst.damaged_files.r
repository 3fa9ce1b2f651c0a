ok: all processes: reported, and sound probes are set
ok: no probe of that name, -Z: reported
ok: no probe of that name: no probe matches, and that may be why
ok: listed
ok: another file is named: not reported
ok: another process is named: not reported
ok: the file cut_in_header is named, of one process
ok: the file emptied is named, of one process
ok: the file headers is named, of one process
ok: the file headers_of_another_size is named, of one process
ok: the file headers_overflow is named, of one process
ok: the file no_names is named, of one process
ok: the file note_is_cut is named, of one process
ok: the file note_overflows is named, of one process
ok: the file offset is named, of one process
ok: the file offset_overflows is named, of one process
ok: the file second_note_is_cut is named, of one process
ok: the file segments is named, of one process
ok: the file size is named, of one process
ok: the file size_is_large is named, of one process
ok: the file too_many_segments is named, of one process
ok: the file truncated is named, of one process
ok: functions of all processes: reported
ok: functions of one process: reported
ok: the function of a damaged file is named
ok: locks of all processes
ok: stacks and symbols
ok: mapped while tracing runs: reported
