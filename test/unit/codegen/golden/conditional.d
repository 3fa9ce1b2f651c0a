/* One of two, and both. */
int x; BEGIN { trace(x > 3 ? x : -x); if (x) { trace(1); } else { trace(2); } }
