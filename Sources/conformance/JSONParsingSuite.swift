internal import Foundation
internal import JSON

/// Runs `json-parsing`: texts that a JSON reader must take, must refuse, or may do either with.
struct JSONParsingSuite {
  /// `json-parsing` of the conformance folder.
  let folder: String

  func run() -> [SuiteResult] {
    (VectorFile.files(in: folder) ?? []).map { file in
      var result = SuiteResult(name: "json-parsing/" + file.name.dropLast(".json".count))
      guard case .success(let document) = file.read() else {
        result.failed.append((file.name, "the file cannot be read"))
        return result
      }
      for test in document["cases"]?.arrayValue ?? [] { run(test, &result) }
      return result
    }
  }

  private func run(_ test: JSON, _ result: inout SuiteResult) {
    let name = test["name"]?.stringValue ?? ""
    guard let bytes = Self.bytes(test), let expected = test["expect"]?.stringValue else {
      result.failed.append((name, "this is no test"))
      return
    }
    let reading = Result { () throws(JSONReadError) in try JSON(parsing: bytes) }
    switch (expected, reading) {
    case ("accept", .failure(let error)):
      if error.reason == .nulInKey || error.reason == .integerRange {
        result.skipped.append((name, "libjansson cannot hold it: \(error)"))
      } else {
        result.failed.append((name, "refused: \(error)"))
      }
    case ("reject", .success):
      result.failed.append((name, "accepted"))
    default:
      // Whatever was said about an "either", it was said.
      result.passed += 1
    }
  }

  /// The text: in base64, or so many times the same.
  private static func bytes(_ test: JSON) -> [UInt8]? {
    if let encoded = test["base64"]?.stringValue { return Data(base64Encoded: encoded).map { Array($0) } }
    guard let unit = test["repeat"]?["text"]?.stringValue, let times = test["repeat"]?["times"]?.integerValue,
      (0...10_000_000).contains(times)
    else { return nil }
    var bytes: [UInt8] = []
    for _ in 0..<times { bytes += unit.utf8 }
    return bytes + (test["repeat"]?["suffix"]?.stringValue ?? "").utf8
  }
}
