module adapter

go 1.19

require formd v0.0.0

replace formd => ../../../../protocol/clients/go
