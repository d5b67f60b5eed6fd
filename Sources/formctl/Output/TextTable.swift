/// Columns of text below their heads.
struct TextTable {
  let head: [String]
  let rows: [[String]]

  /// The head, then the rows. Numbers are aligned to the right; the last column has names, aligned to the left.
  var lines: [String] {
    let widths = head.indices.map { column in ([head] + rows).map { $0[column].count }.max() ?? 0 }
    return ([head] + rows).map { row in
      row.indices.map { column in
        let padding = String(repeating: " ", count: widths[column] - row[column].count)
        return column == row.count - 1 ? row[column] : padding + row[column]
      }.joined(separator: "  ")
    }
  }
}
