internal import Budgets
internal import CEL
public import DataLanguages
public import Forms
public import JSON
internal import Sessions
public import SourceTexts
public import Times

extension Form {
  /// Judges a text immediately, without checks.
  ///
  /// - Parameters:
  ///   - text: the text that was read. Broken texts are judged as far as they could be read.
  ///   - language: its language.
  ///   - context: the values that formulas read as `context`; the form's schema admits them.
  ///   - locale: the language of the messages. If nil, it is the form's.
  ///   - now: the time for `today` and `now`.
  ///   - zone: the zone in which it is `today`.
  ///   - appliesDefaults: whether the schema's defaults replace values that the text lacks.
  ///   - errorsMax: the most errors that are reported.
  ///   - onFault: called for each formula that went wrong, with the cell and the reason.
  public func judge(
    _ text: ScannedText,
    language: DataLanguage,
    context: JSONObject? = nil,
    locale: String? = nil,
    now: Timestamp = .epoch,
    zone: Zone = .utc,
    appliesDefaults: Bool = true,
    errorsMax: Int = .max,
    onFault: (_ formula: String, _ message: String) -> Void = { _, _ in }
  ) -> TextVerdict {
    let judged = JudgedText(text, language: language)
    let options = OpenOptions(
      locale: locale,
      zone: zone,
      values: judged.values(for: self),
      context: context,
      appliesDefaults: appliesDefaults,
      show: .always,
      runsChecks: false,
      trustsInitial: false
    )
    let engine = Engine(wallClock: { now }, cpuTime: WorkBudget.threadCPUTime)
    let (session, turn) = engine.open(self, options: options, at: Instant(nanoseconds: 0))
    for fault in turn.faults { onFault(fault.name, fault.message) }
    return judged.verdict(of: session, errorsMax: errorsMax)
  }
}
