// cel-bench CASES: for each case of the file, the cost of reading, checking and planning, and the cost of an
// evaluation.
//
// Prints one JSON object: name -> {compile_us, evaluate_ns, allocations, result}. Times are of this process's CPU; the
// median of seven runs.

import Budgets
import CAllocationCount
import CEL
import Formats
import Glibc
import JSON

func cpuNanoseconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
}

func median(_ runs: Int, _ measure: () -> Double) -> Double {
  let sorted = (0..<runs).map { _ in measure() }.sorted()
  return sorted[runs / 2]
}

func type(_ name: String?) -> CELType {
  switch name {
  case "string": .string
  case "bool": .bool
  case "int": .int
  case "list(int)": .list(.int)
  default: .dyn
  }
}

func read(_ path: String) -> [UInt8] {
  guard let file = fopen(path, "rb") else { fatalError("cel-bench: \(path) cannot be read") }
  defer { fclose(file) }
  var bytes: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 65_536)
  while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { bytes += chunk[..<count] }
  return bytes
}

guard CommandLine.arguments.count == 2 else { fatalError("usage: cel-bench CASES") }
let document = try JSON(parsing: read(CommandLine.arguments[1]))
var results: [(String, JSON)] = []
for test in document["cases"]?.arrayValue ?? [] {
  guard let name = test["name"]?.stringValue, let source = test["expression"]?.stringValue else { continue }
  var environment = Environment()
  var slots: [Value] = []
  for variable in test["variables"]?.objectValue ?? JSONObject() {
    let declared = type(variable.value["type"]?.stringValue)
    environment.declare(variable: variable.name, type: declared, slot: slots.count)
    slots.append(Value(variable.value["value"] ?? .null, as: declared))
  }
  let program = try environment.compile(source)
  let compile = try {
    let rounds = 200
    for _ in 0..<20 { _ = try environment.compile(source) }
    return median(7) {
      let start = cpuNanoseconds()
      for _ in 0..<rounds { _ = try? environment.compile(source) }
      return (cpuNanoseconds() - start) / Double(rounds) / 1_000
    }
  }()
  let (evaluate, allocations, result) = slots.withUnsafeBufferPointer { slots in
    func run(_ rounds: Int) {
      for _ in 0..<rounds {
        var budget = WorkBudget(units: Program.defaultBudget)
        _ = program.evaluate(slots, budget: &budget)
      }
    }
    let start = cpuNanoseconds()
    run(1_000)
    let rounds = max(1_000, Int(50e6 / max(1, (cpuNanoseconds() - start) / 1_000)))
    let time = median(7) {
      let start = cpuNanoseconds()
      run(rounds)
      return (cpuNanoseconds() - start) / Double(rounds)
    }
    let before = allocation_count()
    run(1_000)
    let allocations = Double(allocation_count() - before) / 1_000
    var budget = WorkBudget(units: Program.defaultBudget)
    return (time, allocations, program.evaluate(slots, budget: &budget))
  }
  results.append(
    (
      name,
      [
        "compile_us": .real(compile), "evaluate_ns": .real(evaluate), "allocations": .real(allocations),
        "result": result.json ?? .string(result.description),
      ]
    )
  )
}
print(JSON.object(JSONObject(results)))
