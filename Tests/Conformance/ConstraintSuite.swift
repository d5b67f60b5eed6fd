internal import CEL
internal import Formats
internal import Foundation
internal import JSON

/// Runs `constraints/*.json`: formats of the Web, and protovalidate's predicates, which are functions of CEL.
/// `html_constraints` is about controls of a page and has no runner.
struct ConstraintSuite {
  /// `constraints` of the conformance folder.
  let folder: String

  func run() -> [SuiteResult] {
    var results: [SuiteResult] = []
    for file in VectorFile.files(in: folder) ?? [] {
      let name = "constraints/" + file.name.dropLast(".json".count)
      switch name {
      case "constraints/is_email": results.append(run(file, name, email))
      case "constraints/url": results.append(run(file, name, url))
      case "constraints/html_constraints": continue
      default: results.append(SuiteResult(name: name))
      }
    }
    if let files = VectorFile.files(in: folder + "/protovalidate") {
      for file in files {
        let predicate = String(file.name.dropLast(".json".count))
        results.append(
          run(file, "constraints/protovalidate/" + predicate) { Self.protovalidate(predicate, $0) }
        )
      }
    }
    return results
  }

  /// `judge` returns the difference from the expected answer to a case, or nil.
  private func run(_ file: VectorFile, _ name: String, _ judge: (JSON) -> String?) -> SuiteResult {
    var result = SuiteResult(name: name)
    guard case .success(let document) = file.read() else {
      result.failed.append((file.name, "the file cannot be read"))
      return result
    }
    for (position, test) in (document["cases"]?.arrayValue ?? []).enumerated() {
      let value = test["value"].map { "\($0)" } ?? ""
      let title = "\(test["name"]?.stringValue ?? test["id"].map { "\($0)" } ?? "\(position + 1)"): \(value)"
      if let reason = judge(test) {
        result.failed.append((title, reason))
      } else {
        result.passed += 1
      }
    }
    return result
  }

  private func expect(_ format: TextFormat, _ value: String, _ isValid: Bool?) -> String? {
    guard let isValid, format.accepts(value) != isValid else { return nil }
    return "\(format.rawValue) \(isValid ? "refuses" : "accepts") it"
  }

  /// `html` is the expected result of `html-email`. The format `email` follows RFC 5321, which is the column `rfc5321`.
  private func email(_ test: JSON) -> String? {
    let value = test["value"]?.stringValue ?? ""
    return expect(.htmlEmail, value, test["html"]?.boolValue) ?? expect(.email, value, test["rfc5321"]?.boolValue)
  }

  /// `href` is the URL as a browser writes it; an invalid URL has no `href`.
  private func url(_ test: JSON) -> String? {
    let value = test["value"]?.stringValue ?? ""
    if let reason = expect(.whatwgURL, value, test["valid"]?.boolValue) { return reason }
    let href = WebURL(parsing: value)?.href
    let expected = test["href"]?.stringValue
    return href == expected ? nil : "is written as \(href ?? "nothing"), should be \(expected ?? "refused")"
  }

  /// A case of `is_ip_prefix` is `value.isIpPrefix(version, strict)`, with the arguments that the case has.
  private static func protovalidate(_ predicate: String, _ test: JSON) -> String? {
    guard let value = test["value"]?.stringValue, let isValid = test["valid"]?.boolValue else {
      return "not a test"
    }
    let function = "is" + predicate.split(separator: "_").dropFirst().map(\.capitalized).joined()
    let isPortRequired = (test["port_required"] ?? test["portRequired"])?.boolValue
    let arguments = [
      test["version"]?.integerValue.map { "\($0)" }, test["strict"]?.boolValue.map { "\($0)" },
      predicate == "is_host_and_port" ? "\(isPortRequired ?? false)" : nil,
    ].compactMap { $0 }
    var environment = Environment()
    environment.declare(variable: "value", type: .string)
    do {
      let program = try environment.compile("value.\(function)(\(arguments.joined(separator: ", ")))")
      let answer = program.evaluate(["value": .string(value)])
      return answer == .bool(isValid) ? nil : "is \(answer), should be \(isValid)"
    } catch {
      return "refused: \(error.problems.map(\.rendered).joined(separator: "; "))"
    }
  }
}
