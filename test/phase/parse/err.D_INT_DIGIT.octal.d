BEGIN { x = 0719; }
