#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The part of a page that a test writes: the lines between `<!-- generated: NAME -->` and `<!-- end -->`.
package struct GeneratedPart {
  /// Its lines as they stand in the page.
  package let text: String

  /// Reads the part. With `FORMD_REWRITE=1` in the environment, writes it before.
  ///
  /// - Parameters:
  ///   - name: the name in its first line.
  ///   - page: the page's path in the repository.
  ///   - wanted: the text that it should have.
  ///   - test: the test's file, at any depth in `Tests`.
  /// - Throws: ``Missing`` if the page has no such part, or why the page cannot be read or written.
  package init(_ name: String, of page: String, wanted: String, test: String = #filePath) throws {
    var root = URL(filePath: test)
    while root.lastPathComponent != "Tests" { root.deleteLastPathComponent() }
    let file = root.deletingLastPathComponent().appending(path: page)
    var whole = try String(contentsOf: file, encoding: .utf8)
    let start = "<!-- generated: \(name) -->\n"
    guard let first = whole.firstRange(of: start), let last = whole[first.upperBound...].firstRange(of: "<!-- end -->")
    else {
      throw Missing(page: page, start: start)
    }
    let part = first.upperBound..<last.lowerBound
    guard ProcessInfo.processInfo.environment["FORMD_REWRITE"] == "1" else {
      text = String(whole[part])
      return
    }
    whole.replaceSubrange(part, with: wanted)
    try whole.write(to: file, atomically: true, encoding: .utf8)
    text = wanted
  }

  /// The page lacks the part.
  package struct Missing: Error, Sendable {
    /// The page's path in the repository.
    package let page: String
    /// The line that should begin the part.
    package let start: String
  }
}
