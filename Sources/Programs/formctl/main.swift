internal import formctl

FormctlProgram.main()
