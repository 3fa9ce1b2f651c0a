pie: 136 -2054781048 -120, -77 -6, -4711 and its own address, 3 4
pie: pie fired 5
fixed: 136 -2054781048 -120, -77 -6, -4711 and its own address, 3 4
fixed: fixed fired 5
static: 136 -2054781048 -120, -77 -6, -4711 and its own address, 3 4
static: static fired 5
static_pie: 136 -2054781048 -120, -77 -6, -4711 and its own address, 3 4
static_pie: static_pie fired 5
narrow: 136 -30840 -121, -77 -6, -4711 and its own address, 3 4
narrow: narrow fired 4
narrow_fixed: 136 -30840 -121, -77 -6, -4711 and its own address, 3 4
narrow_fixed: narrow_fixed fired 4
stripped: 136 -2054781048 -120, -77 -6, 3 4
stripped: stripped fired 5
same_name: 136 -2054781048 -120, -77 -6, -4711 and its own address, 3 4
same_name: pie fired 5
deleted: 136 -2054781048 -120, -77 -6, -4711 and its own address, 3 4
deleted: deleted fired 5
memfd: 136 -2054781048 -120, -77 -6, -4711 and its own address, 3 4
memfd: memfd:in_memory fired 5
namespaces: 136 -2054781048 -120, -77 -6, -4711 and its own address, 3 4
namespaces: inside fired 5
turns_into: 136 -2054781048 -120, -77 -6, -4711 and its own address, 3 4
turns_into: 136 -2054781048 -120, -77 -6, -4711 and its own address, 3 4
turns_into: fixed fired 5
turns_into: pie fired 5
