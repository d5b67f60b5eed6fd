internal import JSON
internal import TextFormats

/// Runs `constraints/*.json`: formats of the Web and protovalidate's predicates. `html_constraints` is about controls of a
/// page and has no runner.
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

  /// `judge` says what is wrong with the answer to a case, or nothing.
  private func run(_ file: VectorFile, _ name: String, _ judge: (JSON) -> String?) -> SuiteResult {
    var result = SuiteResult(name: name)
    guard case .success(let document) = file.read() else {
      result.failed.append((file.name, "the file cannot be read"))
      return result
    }
    for (position, test) in (document["cases"]?.arrayValue ?? []).enumerated() {
      let value = test["value"].map { "\($0)" } ?? ""
      let title = "\(test["name"]?.stringValue ?? test["id"].map { "\($0)" } ?? "\(position + 1)"): \(value)"
      if let reason = SkipList.reason(suite: name, file: file.name, group: title) {
        result.skipped.append((title, reason))
      } else if let reason = judge(test) {
        result.failed.append((title, reason))
      } else {
        result.passed += 1
      }
    }
    return result
  }

  private func expect(_ format: TextFormat, _ value: String, _ isValid: Bool?) -> String? {
    guard let isValid, format.accepts(value) != isValid else { return nil }
    return "\(format.name) \(isValid ? "refuses" : "accepts") it"
  }

  /// `html` is what `html-email` must say. The format `email` is RFC 5321's, which is the column `rfc5321`.
  private func email(_ test: JSON) -> String? {
    let value = test["value"]?.stringValue ?? ""
    return expect(.htmlEmail, value, test["html"]?.boolValue) ?? expect(.email, value, test["rfc5321"]?.boolValue)
  }

  private func url(_ test: JSON) -> String? {
    let value = test["value"]?.stringValue ?? ""
    return expect(.whatwgURL, value, test["valid"]?.boolValue)
  }

  private static func protovalidate(_ predicate: String, _ test: JSON) -> String? {
    guard let isValid = test["valid"]?.boolValue else { return "this is no test" }
    let value = test["value"]?.stringValue ?? ""
    let version = Int(test["version"]?.integerValue ?? 0)
    let answer: Bool
    switch predicate {
    case "is_email": answer = TextPredicates.isEmail(value)
    case "is_hostname": answer = TextPredicates.isHostname(value)
    case "is_ip": answer = TextPredicates.isIP(value, version: version)
    case "is_ip_prefix":
      answer = TextPredicates.isIPPrefix(value, version: version, isStrict: test["strict"]?.boolValue ?? false)
    case "is_uri": answer = TextPredicates.isURI(value)
    case "is_uri_ref": answer = TextPredicates.isURIReference(value)
    case "is_host_and_port":
      let isPortRequired = test["port_required"] ?? test["portRequired"]
      answer = TextPredicates.isHostAndPort(value, isPortRequired: isPortRequired?.boolValue ?? false)
    default: return "there is no predicate \(predicate)"
    }
    return answer == isValid ? nil : isValid ? "refused" : "accepted"
  }
}
