/// The interview's own words in one language. Names in braces are parameters.
package struct Words: Sendable {
  /// The language's code of ISO 639-1.
  let locale: String

  // Yes and no.
  let yes: String
  let no: String
  /// What the user types for yes and for no, beside `y` and `n`.
  let yesKey: String
  let noKey: String
  /// `{yes}`, `{no}`: the keys.
  let answerYesOrNo: String

  // The current value.
  let nothing: String
  let unchanged: String
  /// `{text}`: the placeholder.
  let example: String

  // Rows.
  let addRow: String
  /// `{rows}`: `1`, or `1-3`.
  let editRow: String
  let removeRow: String
  let moveRow: String
  let done: String
  let rowCommands: String

  // Texts of several lines.
  let endText: String

  // Choices.
  let mark: String
  let markByNumber: String
  /// `{numbers}`: the possible numbers, such as `1-3, 5`.
  let choose: String
  /// `{count}`: the last possible number.
  let chooseNumber: String
  let nothingToChoose: String
  let notAvailable: String
  let cannotBeChosen: String
  let other: String
  let typeOther: String
  let moreLines: String

  // Waits.
  let checking: String
  let loading: String

  // Steps, and the end.
  /// `{position}` of `{count}`.
  let step: String
  let goOn: String
  /// `{key}`: the key.
  let goBack: String
  let enterKey: String
  /// Shift-Tab.
  let backKey: String
  let review: String
  let change: String
  let failed: String
  /// The session ended while the user typed a secret.
  package let ended: String

  /// All languages. English, which is used if no other language fits, is the first.
  static let all = [english, korean, german, french, spanish, portuguese, italian, japanese, chinese]

  /// The words of the first locale that has some, without regard to case; else English.
  static func of(_ locales: String?...) -> Words {
    for case let locale? in locales {
      let language = locale.prefix { $0 != "-" && $0 != "_" }.lowercased()
      if let words = all.first(where: { $0.locale == language }) { return words }
    }
    return english
  }
}
