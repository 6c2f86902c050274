module mixgrad

go 1.18
