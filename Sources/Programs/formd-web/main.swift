internal import formd_web

await FormdWebProgram.main()
