-> main
<- main 0
describe 3
twice 3

