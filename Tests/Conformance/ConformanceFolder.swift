internal import Foundation

/// A folder of vectors: which suites it has, who runs them, and how their results are reported.
struct ConformanceFolder {
  let path: String

  var exists: Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
  }

  /// Runs every suite; returns whether nothing failed.
  func run(failuresFile: String?) -> Bool {
    var allPassed = true
    var failures = ""
    var runners: [(folder: String, run: @Sendable (String) -> [SuiteResult])] = [
      ("json-schema", { JSONSchemaSuite(folder: $0).run() }),
      ("constraints", { ConstraintSuite(folder: $0).run() }),
    ]
    runners.append(contentsOf: Self.otherRunners)
    let parts = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    for part in parts.sorted() {
      let folder = path + "/" + part
      guard ConformanceFolder(path: folder).exists, part != "LICENSES" else { continue }
      guard let runner = runners.first(where: { $0.folder == part }) else {
        print("\(part): no runner")
        continue
      }
      for result in runner.run(part == "cel" ? path : folder) {
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
