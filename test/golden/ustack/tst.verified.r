few
few
few
few
few
few
