/// Columns of text below their heads.
struct TextTable {
  let head: [String]
  let entries: [[String]]

  /// The head, then the entries. Numbers are aligned to the right; the last column has names, aligned to the left.
  var lines: [String] {
    let widths = head.indices.map { column in ([head] + entries).map { $0[column].count }.max() ?? 0 }
    return ([head] + entries).map { entry in
      entry.indices.map { column in
        let padding = String(repeating: " ", count: widths[column] - entry[column].count)
        return column == entry.count - 1 ? entry[column] : padding + entry[column]
      }.joined(separator: "  ")
    }
  }
}
