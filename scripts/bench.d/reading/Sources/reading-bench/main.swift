import Foundation
import JSON

// reading-bench FILE binary|exact ROUNDS: bytes per CPU second of the best round, and by how many bytes reading
// raised the process's peak.

func fail(_ text: String) -> Never {
  FileHandle.standardError.write(Data("reading-bench: \(text)\n".utf8))
  exit(2)
}

func cpuSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// The most memory that the process has had so far, in bytes.
func peak() -> Int {
  let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
  for line in status.split(separator: "\n") where line.hasPrefix("VmHWM:") {
    return (Int(line.split(separator: " ").dropLast().last ?? "") ?? 0) * 1024
  }
  fail("/proc/self/status does not tell the memory")
}

let arguments = CommandLine.arguments
guard arguments.count == 4, let rounds = Int(arguments[3]), rounds > 0 else {
  fail("usage: reading-bench FILE binary|exact ROUNDS")
}
guard let data = FileManager.default.contents(atPath: arguments[1]) else { fail("\(arguments[1]) cannot be read") }
let bytes = Array(data)

func read() throws -> JSON {
  switch arguments[2] {
  case "binary": return try JSON(parsing: bytes)
  case "exact": return try JSON(parsing: bytes, numbers: .exact)
  default: fail("there are no numbers \(arguments[2])")
  }
}

var value = JSON.null
var best = Double.infinity
let before = peak()
for _ in 0..<rounds {
  value = .null
  let start = cpuSeconds()
  do { value = try read() } catch { fail("\(error)") }
  best = min(best, cpuSeconds() - start)
}
guard !value.isNull else { fail("nothing was read") }
print(Int(Double(bytes.count) / best), peak() - before)
