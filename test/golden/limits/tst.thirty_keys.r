few
few
