import Foundation
import JSON
import JSONSchema

// schema-bench SCHEMA INSTANCE (--seconds S | --count N): validations of one parsed value per CPU second.

func fail(_ text: String) -> Never {
  FileHandle.standardError.write(Data("schema-bench: \(text)\n".utf8))
  exit(2)
}

func read(_ path: String) -> JSON {
  guard let data = FileManager.default.contents(atPath: path), let value = try? JSON(parsing: Array(data)) else {
    fail("\(path) cannot be read")
  }
  return value
}

func cpuSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

let arguments = CommandLine.arguments
guard arguments.count == 5, let amount = Double(arguments[4]) else {
  fail("usage: schema-bench SCHEMA INSTANCE (--seconds S | --count N)")
}
let schema: Schema
do {
  schema = try Schema.compile(read(arguments[1]))
} catch {
  fail("\(error)")
}
let instance = read(arguments[2])
guard schema.validate(instance) else { fail("the instance is not valid: \(schema.failures(of: instance))") }

/// The number of valid answers. The compiler cannot remove the calls, because they are counted.
func run(_ count: Int) -> Int {
  var valid = 0
  for _ in 0..<count where schema.validate(instance) { valid += 1 }
  return valid
}

if arguments[3] == "--count" {
  print(run(Int(amount)))
} else {
  var count = 0
  let start = cpuSeconds()
  while cpuSeconds() - start < amount { count += run(1000) }
  print(Int(Double(count) / (cpuSeconds() - start)))
}
