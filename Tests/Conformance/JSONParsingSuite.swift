internal import Foundation
internal import JSON
internal import SourceTexts

/// Runs the JSON parsing vectors as bodies of a connection in header framing. A body that is not JSON gets -32700. A
/// JSON body never does: it gets -32600, because it is not a request.
func runJSONParsingSuite(folder: String) -> [SuiteResult] {
  var result = SuiteResult(name: "json-parsing/json_test_suite")
  var scanning = SuiteResult(name: "json-parsing/json_test_suite by the scanner")
  guard let data = FileManager.default.contents(atPath: folder + "/json_test_suite.json"),
    let document = try? JSON(parsing: Array(data))
  else {
    result.failed.append(("json_test_suite.json", "the file cannot be read"))
    return [result]
  }
  for test in document["cases"]?.arrayValue ?? [] {
    let name = test["name"]?.stringValue ?? ""
    guard let text = text(of: test), let expected = test["expect"]?.stringValue else {
      result.failed.append((name, "not a vector"))
      continue
    }
    // The tools read with a separate scanner. It accepts the same texts as jansson, and reads the same values.
    let scanned = ScannedText(json: SourceText(text))
    if scanned.problemCount > 0 ? (try? JSON(parsing: text)) == nil : scanned.value == (try? JSON(parsing: text)) {
      scanning.passed += 1
    } else {
      scanning.failed.append(
        (name, "jansson and the scanner disagree; the scanner: \(scanned.problems.map(\.message))")
      )
    }
    do {
      let answer = try SpecificationServer().answer(to: text)
      let codes = Set((answer?.arrayValue ?? [answer ?? .null]).compactMap { $0["error"]?["code"]?.integerValue })
      if let reason = failure(name, expected, codes) {
        result.failed.append((name, reason))
      } else {
        result.passed += 1
      }
    } catch {
      result.failed.append((name, "the answer is not JSON: \(error)"))
    }
  }
  return [result, scanning]
}

/// Texts whose answer has another code than their kind demands, each with the reason.
private let exceptions: [String: (codes: Set<Int64>, reason: String)] = [
  "n_structure_100000_opening_arrays": ([-32600], "the depth limit is reached before the missing end is found"),
  "n_structure_open_array_object": ([-32600], "the depth limit is reached before the missing end is found"),
  "y_object_duplicated_key": ([-32600], "a duplicate key is refused"),
  "y_object_duplicated_key_and_value": ([-32600], "a duplicate key is refused"),
]

private func failure(_ name: String, _ expected: String, _ codes: Set<Int64>) -> String? {
  let allowed: Set<Int64> =
    if let exception = exceptions[name] {
      exception.codes
    } else {
      switch expected {
      case "accept": [-32600]
      case "reject": [-32700]
      default: [-32700, -32600]
      }
    }
  guard !codes.isEmpty, codes.isSubset(of: allowed) else {
    return "expected \(expected), answered with \(codes.sorted())"
  }
  return nil
}

/// The exact bytes.
private func text(of test: JSON) -> [UInt8]? {
  if let base64 = test["base64"]?.stringValue { return Data(base64Encoded: base64).map { Array($0) } }
  guard let parts = test["repeat"], let unit = parts["text"]?.stringValue, let times = parts["times"]?.integerValue
  else { return nil }
  return Array((String(repeating: unit, count: Int(times)) + (parts["suffix"]?.stringValue ?? "")).utf8)
}
