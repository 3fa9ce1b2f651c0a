ok: rmdir, by error
ok: close
