internal import Forms

/// A statement that a form may run: it reads and changes the rows of its database, and nothing else.
///
/// It must not reach other files (`ATTACH`, `VACUUM INTO`, `COPY`), nor leave anything on the connection that other
/// sessions share (temporary tables, which would hide real ones; transactions; `PRAGMA`, `SET`), nor change tables
/// themselves.
struct SQLStatement: Sendable {
  /// The form's text of it, which identifies the statement.
  let source: String
  /// Its parameters and words, as its dialect reads them.
  let text: SQLText
  /// Whether it certainly changes nothing, unless a function does: it begins with a word that only reads. If that word
  /// is `WITH`, no word in it may change anything.
  let onlyReads: Bool

  private static let reading: Set<String> = ["SELECT", "VALUES", "WITH"]

  /// Words with which statements begin that change rows.
  private static func writing(in dialect: SQLText.Dialect) -> Set<String> {
    switch dialect {
    case .sqlite: ["INSERT", "REPLACE", "UPDATE", "DELETE"]
    case .postgreSQL: ["INSERT", "UPDATE", "DELETE", "MERGE"]
    }
  }

  /// Reads a form's statement.
  ///
  /// - Throws: the reason why a form may not run it.
  init(_ source: String, in dialect: SQLText.Dialect) throws(SQLFailure) {
    self.source = source
    text = SQLText(source, in: dialect)
    let writing = Self.writing(in: dialect)
    let allowed = Self.reading.union(writing)
    guard let word = text.leadingWord, allowed.contains(word) else {
      throw SQLFailure(reason: "a form's query must begin with one of \(allowed.sorted().joined(separator: ", "))")
    }
    onlyReads = Self.reading.contains(word) && (word != "WITH" || writing.isDisjoint(with: text.words))
    if dialect == .postgreSQL { try refuseMakingTables() }
    guard !source.utf8.contains(0) else { throw SQLFailure(reason: "the query has the character U+0000") }
  }

  /// `SELECT … INTO name` makes a table.
  private func refuseMakingTables() throws(SQLFailure) {
    for (index, word) in text.words.enumerated() where word == "INTO" {
      guard index > 0, ["INSERT", "MERGE"].contains(text.words[index - 1]) else {
        throw SQLFailure(reason: "a form's query must not make a table: INTO may follow only INSERT and MERGE")
      }
    }
  }
}
