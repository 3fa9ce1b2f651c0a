pie: 100 9900
fixed: 100 9900
static: 100 9900
static_pie: 100 9900
stripped: 100 9900
narrow: 320004950 5450
deleted

inside

