import CEL
import Foundation
import JSON
import Testing

/// Protovalidate's own cases, read from the conformance data at run time.
@Suite struct FormatPredicateTests {
  private static let folder = ConformanceFolder.path.map { $0 + "/constraints/protovalidate" }

  @Test(
    .enabled(if: folder != nil, "the conformance data is not on this machine"),
    arguments: ["is_email", "is_hostname", "is_ip", "is_ip_prefix", "is_uri", "is_uri_ref", "is_host_and_port"]
  )
  func `predicates agree with protovalidate's cases`(file: String) throws {
    // Not every file is in every copy of the data.
    guard let data = FileManager.default.contents(atPath: try #require(Self.folder) + "/\(file).json") else { return }
    let name = "is" + file.split(separator: "_").dropFirst().map(\.capitalized).joined()
    for test in try JSON(parsing: Array(data))["cases"]?.arrayValue ?? [] {
      let text = try #require(test["value"]?.stringValue)
      let valid: Bool? = test["valid"]?.boolValue
      let arguments = [
        test["version"].flatMap(\.integerValue).map { "\($0)" }, test["strict"].flatMap(\.boolValue).map { "\($0)" },
        (test["port_required"] ?? test["portRequired"]).flatMap(\.boolValue).map { "\($0)" },
      ].compactMap { $0 }
      let source = "\(Value.string(text)).\(name)(\(arguments.joined(separator: ", ")))"
      #expect(evaluated(source) == valid.map { .bool($0) }, "\(test["name"]?.stringValue ?? ""): \(source)")
    }
  }

  @Test(arguments: [
    "'a@b.c'.isEmail() && !'a@b c'.isEmail() && 'example.com'.isHostname() && !'-a'.isHostname()",
    "'1.2.3.4'.isIp() && '::1'.isIp(6) && !'::1'.isIp(4) && !'1.2.3.4'.isIp(5)",
    "'10.0.0.0/8'.isIpPrefix() && !'10.0.0.1/8'.isIpPrefix(true) && '10.0.0.1/8'.isIpPrefix(4)",
    "'::/0'.isIpPrefix(6, true)",
    "'https://example.com/a?b#c'.isUri() && !'a b'.isUri() && './a?b'.isUriRef() && !'a b'.isUriRef()",
    "'example.com:80'.isHostAndPort(true) && 'example.com'.isHostAndPort(false)",
    "!'example.com'.isHostAndPort(true)",
    "'[::1]:80'.isHostAndPort(true) && !'example.com:65536'.isHostAndPort(true)",
  ])
  func `predicates take the arguments that protovalidate gives them`(source: String) {
    expectTrue(source)
  }
}

/// Where the conformance data is: named by `FORMD_CONFORMANCE`, or beside the package.
enum ConformanceFolder {
  static let path: String? = {
    let beside = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../../shared/conformance")
      .standardized.path
    let candidates = [ProcessInfo.processInfo.environment["FORMD_CONFORMANCE"], beside].compactMap { $0 }
    return candidates.first { FileManager.default.fileExists(atPath: $0 + "/cel/basic.json") }
  }()
}
