changes 12..

