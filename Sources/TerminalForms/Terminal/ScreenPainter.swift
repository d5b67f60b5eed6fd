/// Draws views on a terminal that can move its cursor, one over the other, below what was written before: a value that says what bytes
/// to write.
///
/// It breaks the lines itself, so that it knows where the cursor is. After a resize the terminal has broken the rows that were drawn
/// once more; how many they are then follows from their widths.
package struct ScreenPainter {
  /// The size of the terminal.
  package var columns: Int
  package var rows: Int
  private let hasColor: Bool
  /// The view that stands there, and how it was drawn.
  private var drawn: (view: View, widthsUpToCursor: [Int], columns: Int)?

  /// A painter for a terminal of that size.
  package init(columns: Int, rows: Int, hasColor: Bool) {
    self.columns = max(columns, 2)
    self.rows = max(rows, 2)
    self.hasColor = hasColor
  }

  /// The terminal has another size now.
  package mutating func resize(columns: Int, rows: Int) {
    self.columns = max(columns, 2)
    self.rows = max(rows, 2)
  }

  /// What to write so that the view stands there, in place of the one before.
  package mutating func draw(_ view: View) -> String {
    if let drawn, drawn.view == view, drawn.columns == columns { return "" }
    var layout = Layout(columns: columns, hasColor: hasColor)
    for line in view.above { layout.add(line) }
    layout.add(view.prompt, input: view.input, cursor: view.cursor)
    for line in view.below { layout.add(line) }
    let start = layout.firstShown(height: rows - 1)
    let shown = layout.rows[start...].prefix(rows - 1)
    let cursorRow = layout.cursor.row - start
    var output = erasure
    output += shown.map(\.text).joined(separator: "\r\n")
    if shown.count - 1 > cursorRow { output += "\u{1B}[\(shown.count - 1 - cursorRow)A" }
    output += "\r"
    if layout.cursor.column > 0 { output += "\u{1B}[\(layout.cursor.column)C" }
    let widths = shown.prefix(cursorRow).map(\.width) + [layout.cursor.column]
    drawn = (view, widths, columns)
    return output
  }

  /// What to write so that the lines stand in place of the view, and stay.
  package mutating func leave(_ lines: [StyledLine]) -> String {
    let output = erasure + lines.map { $0.rendered(hasColor: hasColor) + "\r\n" }.joined()
    drawn = nil
    return output
  }

  /// Goes to the first row of what is drawn and clears from there on.
  private var erasure: String {
    guard let drawn else { return "" }
    let above = drawn.widthsUpToCursor.dropLast().reduce(0) { $0 + max(1, ($1 + columns - 1) / columns) }
    let up = above + (drawn.widthsUpToCursor.last ?? 0) / columns
    return "\r" + (up > 0 ? "\u{1B}[\(up)A" : "") + "\u{1B}[J"
  }
}

/// Lines broken into rows of a terminal.
private struct Layout {
  let columns: Int
  let hasColor: Bool
  private(set) var rows: [(text: String, width: Int)] = []
  private(set) var cursor = (row: 0, column: 0)

  init(columns: Int, hasColor: Bool) {
    self.columns = columns
    self.hasColor = hasColor
  }

  mutating func add(_ line: StyledLine) {
    rows.append(("", 0))
    for span in line.spans { put(span.text, span.style) }
  }

  /// Adds a prompt with what was typed behind it; line breaks in that begin new rows.
  mutating func add(_ prompt: StyledLine, input: String, cursor position: Int) {
    add(prompt)
    let characters = Array(input)
    mark()
    for (offset, character) in characters.enumerated() {
      if offset == position { mark() }
      if character == "\n" { rows.append(("", 0)) } else { put(StyledLine.shown(String(character)), .plain) }
    }
    if position >= characters.count { mark() }
  }

  /// The cursor stands here. Behind the last column there is none to stand in.
  private mutating func mark() {
    if rows[rows.count - 1].width >= columns { rows.append(("", 0)) }
    cursor = (rows.count - 1, rows[rows.count - 1].width)
  }

  private mutating func put(_ text: String, _ style: StyledLine.Style) {
    var run = ""
    for character in text {
      let width = character.columns
      if rows[rows.count - 1].width + width > columns {
        rows[rows.count - 1].text += StyledLine.rendered(run, style, hasColor: hasColor)
        run = ""
        rows.append(("", 0))
      }
      run.append(character)
      rows[rows.count - 1].width += width
    }
    rows[rows.count - 1].text += StyledLine.rendered(run, style, hasColor: hasColor)
  }

  /// The first row to be drawn where only so many fit: the last ones are, but never without that of the cursor.
  func firstShown(height: Int) -> Int {
    min(max(rows.count - height, 0), cursor.row)
  }
}
