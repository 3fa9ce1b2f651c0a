ok: writes are counted
ok: twenty lines at most
