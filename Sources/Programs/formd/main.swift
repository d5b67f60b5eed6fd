internal import formd

await FormdProgram.main()
