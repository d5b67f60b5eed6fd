public import CEL
public import DataTexts
public import Forms
public import JSON
internal import Sessions

extension Form {
  /// Judges a text here and now, without checks.
  ///
  /// - Parameters:
  ///   - text: what was read; broken texts are judged as far as they could be.
  ///   - language: its language.
  ///   - locale: the language of the messages; nil: the form's.
  ///   - now: what `today` and `now` go by.
  ///   - zone: in which it is `today`.
  ///   - appliesDefaults: whether the schema's defaults stand in for what the text lacks.
  ///   - errorsMax: no more errors are told.
  ///   - onFault: told of each formula that went wrong: the cell, and why.
  public func judge(
    _ text: ScannedText,
    language: DataLanguage,
    locale: String? = nil,
    now: Timestamp = .epoch,
    zone: Zone = .utc,
    appliesDefaults: Bool = true,
    errorsMax: Int = .max,
    onFault: (_ cell: String, _ message: String) -> Void = { _, _ in }
  ) -> TextVerdict {
    let judged = JudgedText(text, language: language)
    let options = OpenOptions(
      locale: locale,
      zone: zone,
      values: judged.values(for: self),
      appliesDefaults: appliesDefaults,
      show: .always,
      runsChecks: false
    )
    let (session, turn) = Engine(wallClock: { now }).open(self, options: options, at: Instant(nanoseconds: 0))
    for fault in turn.faults { onFault(fault.cell, fault.message) }
    return judged.verdict(of: session, errorsMax: errorsMax)
  }
}
