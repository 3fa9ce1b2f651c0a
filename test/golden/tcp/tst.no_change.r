many changes

