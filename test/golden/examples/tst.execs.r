ok: two starts
