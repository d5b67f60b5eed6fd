import Foundation
import Testing
import TextFormats

@Suite(.enabled(if: Vectors.folder != nil, Comment(rawValue: Vectors.missing)))
struct ConstraintVectors {
  @Test func `email and html-email judge the texts of is_email by their own standards`() throws {
    var failures: [String] = []
    let cases = try Vectors.cases("constraints/is_email.json")
    #expect(!cases.isEmpty)
    for row in cases {
      guard let text = row["value"] as? String else { continue }
      if let isValid = row["rfc5321"] as? Bool, TextFormat.email.accepts(text) != isValid {
        failures.append("email: \(Vectors.show(text)) must be \(isValid): \(row["diagnosis"] ?? "")")
      }
      if let isValid = row["html"] as? Bool, TextFormat.htmlEmail.accepts(text) != isValid {
        failures.append("html-email: \(Vectors.show(text)) must be \(isValid)")
      }
    }
    #expect(failures.isEmpty, "\(failures.count):\n\(failures.joined(separator: "\n"))")
  }

  @Test(arguments: ["is_email", "is_hostname", "is_ip", "is_ip_prefix", "is_uri"])
  func `predicates judge the texts of protovalidate as it does`(file: String) throws {
    var failures: [String] = []
    let cases = try Vectors.cases("constraints/protovalidate/\(file).json")
    #expect(!cases.isEmpty)
    for row in cases {
      guard let text = row["value"] as? String, let isValid = row["valid"] as? Bool else { continue }
      let version = row["version"] as? Int ?? 0
      let isAccepted =
        switch file {
        case "is_email": TextPredicates.isEmail(text)
        case "is_hostname": TextPredicates.isHostname(text)
        case "is_ip": TextPredicates.isIP(text, version: version)
        case "is_ip_prefix":
          TextPredicates.isIPPrefix(text, version: version, isStrict: row["strict"] as? Bool ?? false)
        default: TextPredicates.isURI(text)
        }
      if isAccepted != isValid { failures.append("\(row["name"] ?? ""): \(Vectors.show(text)) must be \(isValid)") }
    }
    #expect(failures.isEmpty, "\(failures.count) of \(cases.count):\n\(failures.joined(separator: "\n"))")
  }

  @Test func `whatwg-url parses and writes the URLs of web-platform-tests as browsers must`() throws {
    var failures: [String] = []
    let cases = try Vectors.cases("constraints/url.json")
    #expect(!cases.isEmpty)
    for row in cases {
      guard let text = row["value"] as? String, let isValid = row["valid"] as? Bool else { continue }
      let href = WebURL(parsing: text)?.href
      if TextFormat.whatwgURL.accepts(text) != isValid || href != row["href"] as? String {
        failures.append("\(Vectors.show(text)): \(row["href"] ?? "failure") expected, not \(href ?? "failure")")
      }
    }
    #expect(failures.isEmpty, "\(failures.count) of \(cases.count):\n\(failures.joined(separator: "\n"))")
  }
}
