ok: memory and open files stay as they are
