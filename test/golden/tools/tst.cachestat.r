ok: cold: all from disk
ok: warm: all there, pages on the border of two reads twice
ok: one read of all
ok: reads of two pages
ok: new pages are dirtied, and no misses
ok: page faults: all from disk
ok: nothing
