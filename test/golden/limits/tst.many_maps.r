aggregations
arrays
limits
