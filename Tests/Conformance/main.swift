internal import Foundation

// conformance DIR [--failures FILE]: runs every suite in a folder of vectors and prints one line per suite.

var arguments = Array(CommandLine.arguments.dropFirst())
var failuresFile: String?
if let option = arguments.firstIndex(of: "--failures") {
  guard option + 1 < arguments.count else {
    FileHandle.standardError.write(Data("conformance: --failures needs a file name\n".utf8))
    exit(2)
  }
  failuresFile = arguments[option + 1]
  arguments.removeSubrange(option...option + 1)
}
guard arguments.count == 1, !arguments[0].hasPrefix("-") else {
  FileHandle.standardError.write(Data("usage: conformance DIR [--failures FILE]\n".utf8))
  exit(2)
}
let suites = ConformanceFolder(path: arguments[0])
guard suites.exists else {
  FileHandle.standardError.write(Data("conformance: the folder \(arguments[0]) does not exist\n".utf8))
  exit(2)
}
exit(suites.run(failuresFile: failuresFile) ? 0 : 1)
