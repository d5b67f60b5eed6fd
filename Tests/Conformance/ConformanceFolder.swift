internal import Foundation

/// A folder of public test vectors: which suites judge its parts, and how their results are reported.
///
/// Each vector is judged only here, except `json-parsing`, which the end-to-end tests also send over a socket.
struct ConformanceFolder {
  /// The suites by the folder that they judge. Each suite takes the path of its folder.
  private static let suites: [String: @Sendable (String) -> [SuiteResult]] = [
    "cel": { runCELSuite(folder: $0) },
    "constraints": { ConstraintSuite(folder: $0).run() },
    "json-parsing": { runJSONParsingSuite(folder: $0) },
    "json-schema": { JSONSchemaSuite(folder: $0).run() },
    "jsonrpc": { runJSONRPCSuite(folder: $0) },
    "rx": { runRxSuite(folder: $0) },
  ]

  let path: String

  var exists: Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
  }

  /// Runs every suite and prints a line for each of its results.
  ///
  /// - Parameter failuresFile: the file that gets a line for each failure, or nil for none.
  /// - Returns: whether all cases passed.
  func run(failuresFile: String?) -> Bool {
    var allPassed = true
    var failures = ""
    let parts = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    for part in parts.sorted() {
      let folder = path + "/" + part
      guard ConformanceFolder(path: folder).exists, part != "LICENSES" else { continue }
      guard let suite = Self.suites[part] else {
        print("\(part): no runner")
        continue
      }
      for result in suite(folder) {
        report(result, &failures)
        if !result.failed.isEmpty { allPassed = false }
      }
    }
    if let failuresFile {
      do {
        try failures.write(toFile: failuresFile, atomically: true, encoding: .utf8)
      } catch {
        FileHandle.standardError.write(
          Data("conformance: cannot write \(failuresFile): \(error.localizedDescription)\n".utf8)
        )
        allPassed = false
      }
    }
    return allPassed
  }

  private func report(_ result: SuiteResult, _ failures: inout String) {
    if result.passed == 0 && result.failed.isEmpty && result.skipped.isEmpty {
      print("\(result.name): no runner")
      return
    }
    print(
      "\(result.name): \(result.passed) passed, \(result.failed.count) failed, \(result.skipped.count) skipped"
    )
    for failure in result.failed {
      let line = "\(result.name): \(failure.name): \(failure.reason)"
      failures += line.split(whereSeparator: \.isNewline).joined(separator: " ") + "\n"
    }
  }
}
