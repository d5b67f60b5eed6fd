internal import Foundation
internal import JSON

/// Runs the examples of the JSON-RPC specification (section 7) through the daemon's dispatcher with test methods.
func runJSONRPCSuite(folder: String) -> [SuiteResult] {
  var result = SuiteResult(name: "jsonrpc/spec_examples")
  guard let data = FileManager.default.contents(atPath: folder + "/spec_examples.json"),
    let document = try? JSON(parsing: Array(data))
  else {
    result.failed.append(("spec_examples.json", "the file cannot be read"))
    return [result]
  }
  for example in document["examples"]?.arrayValue ?? [] {
    let name = example["name"]?.stringValue ?? ""
    guard let request = example["request"]?.stringValue, let expected = example["response"] else {
      result.failed.append((name, "not a vector"))
      continue
    }
    do {
      let server = SpecificationServer()
      let answer = try server.answer(to: Array(request.utf8))
      if comparable(answer ?? .null) == comparable(expected) {
        result.passed += 1
      } else {
        result.failed.append((name, "answered \(answer?.description ?? "nothing")"))
      }
    } catch {
      result.failed.append((name, "the answer is not JSON: \(error)"))
    }
  }
  return [result]
}

/// An answer without `data`, with a batch as a set: details that the specification leaves open are ignored.
private func comparable(_ answer: JSON) -> Set<JSON> {
  func plain(_ message: JSON) -> JSON {
    guard var object = message.objectValue, var error = object["error"]?.objectValue else { return message }
    error["data"] = nil
    object["error"] = .object(error)
    return .object(object)
  }
  if let elements = answer.arrayValue { return Set(elements.map(plain)) }
  return [plain(answer)]
}
