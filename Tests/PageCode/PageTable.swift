#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The rows of tables in a page of the project.
package struct PageTable {
  /// The cells of each row, without the white space around them.
  package let rows: [[String]]

  /// Reads all tables of a section that have those columns.
  ///
  /// - Parameters:
  ///   - page: the page's path in the repository.
  ///   - section: the section's heading, without the marks before it.
  ///   - columns: the cells of the tables' first row.
  ///   - test: the test's file, in a folder of `Tests`.
  /// - Throws: when the page cannot be read.
  package init(page: String, section: String, columns: [String], test: String = #filePath) throws {
    let root = URL(filePath: test).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let text = try String(contentsOf: root.appending(path: page), encoding: .utf8)
    let lines = text.components(separatedBy: "\n").drop { !Self.isHeading($0, of: section) }.dropFirst()
      .prefix { !$0.hasPrefix("## ") }
    var rows: [[String]] = []
    var isWanted = false
    for line in lines {
      guard line.hasPrefix("|") else {
        isWanted = false
        continue
      }
      let cells = Self.cells(of: line)
      if isWanted, !line.hasPrefix("|---") { rows.append(cells) }
      if cells == columns { isWanted = true }
    }
    self.rows = rows
  }

  private static func isHeading(_ line: String, of section: String) -> Bool {
    line.hasPrefix("#") && line.drop { $0 == "#" }.dropFirst() == section[...]
  }

  /// A bar within a cell has a backslash before it.
  private static func cells(of line: String) -> [String] {
    let bar = "\u{1}"
    return line.replacing("\\|", with: bar).components(separatedBy: "|").dropFirst().dropLast()
      .map { $0.replacing(bar, with: "|").drop { $0 == " " }.withoutSpaceAtEnd }
  }
}

extension String {
  /// The text between backticks if they enclose the whole text; else the text.
  package var withoutBackticks: String {
    count > 1 && hasPrefix("`") && hasSuffix("`") ? String(dropFirst().dropLast()) : self
  }
}

extension Substring {
  fileprivate var withoutSpaceAtEnd: String {
    var text = self
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
