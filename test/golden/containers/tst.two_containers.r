compared web 1000
key 500
key store 2000
key web 1000
not the host 3000
pod prod/shop-0 2000
zone global 500
zone store 2000
zone web 1000
nothing was lost
