#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The code of a page for developers who embed a module, next to the code of the test that runs it.
package struct PageCode {
  /// The code blocks of the page.
  package let shown: [String]
  /// The lines between `// page` and `// end` of the test.
  package let run: [String]

  /// Reads both.
  ///
  /// - Parameters:
  ///   - page: the page's path in the repository.
  ///   - test: the test's file, in a folder of `Tests`.
  /// - Throws: when one of the files cannot be read.
  package init(page: String, test: String = #filePath) throws {
    let file = URL(filePath: test)
    let root = file.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let text = try String(contentsOf: root.appending(path: page), encoding: .utf8)
    shown = text.components(separatedBy: "```swift\n").dropFirst().map { $0.components(separatedBy: "```")[0] }
    let source = try String(contentsOf: file, encoding: .utf8)
    run = source.components(separatedBy: "    // page\n").dropFirst().map {
      $0.components(separatedBy: "    // end\n")[0]
        .split(separator: "\n", omittingEmptySubsequences: false)
        .map { $0.hasPrefix("    ") ? String($0.dropFirst(4)) : String($0) }
        .joined(separator: "\n")
    }
  }
}
