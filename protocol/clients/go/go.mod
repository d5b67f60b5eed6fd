module formd

go 1.19
