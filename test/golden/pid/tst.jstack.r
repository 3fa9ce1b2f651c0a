MAP`JS:innermost MAP`JS:inTheMiddle MAP`JS:outermost
