often on a CPU, often off it

