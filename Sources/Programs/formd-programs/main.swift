internal import formctl
internal import formd
internal import formd_web

// The file is installed under three names, and does what its name says. A package that cannot give a file several names
// writes the name as the first argument.
let names: Set<Substring> = ["formctl", "formd-web"]
var arguments = CommandLine.arguments[...]
if let name = arguments.dropFirst().first, names.contains(name[...]) { arguments.removeFirst() }

let name = arguments.popFirst()?.split(separator: "/").last
switch name {
case "formctl": FormctlProgram.main(Array(arguments))
case "formd-web": await FormdWebProgram.main(Array(arguments))
default: await FormdProgram.main(Array(arguments))
}
