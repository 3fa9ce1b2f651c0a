hundreds of members
few change meanwhile
all others as shown
