flame-graph.md: all commands run
shop::make_items
shop::sort_by_name
shop::total_by_name
