public import Forms
public import JSON
public import Times

/// How a session is opened.
public struct OpenOptions: Sendable {
  /// The locale of its texts. Nil means the form's default.
  public var locale: String?
  /// The zone in which it is `today`.
  public var zone: Zone
  /// Initial values as one object, over the schema's defaults.
  public var values: JSONObject?
  /// The context, if the form describes one; its schema admits it.
  public var context: JSONObject?
  /// Whether the schema's defaults replace members that ``values`` lack.
  public var appliesDefaults: Bool
  /// If `always`, every field shows its messages from the beginning, whatever its own policy.
  public var show: ShowPolicy?
  /// The parts of the document that the client wants. Nil means all.
  public var watch: [JSONPointer]?
  /// Whether checks run at all.
  public var runsChecks: Bool
  /// Whether initial values are trusted where the form says so. A caller that judges values does not trust them.
  public var trustsInitial: Bool

  /// Options of those values.
  public init(
    locale: String? = nil,
    zone: Zone = .utc,
    values: JSONObject? = nil,
    context: JSONObject? = nil,
    appliesDefaults: Bool = true,
    show: ShowPolicy? = nil,
    watch: [JSONPointer]? = nil,
    runsChecks: Bool = true,
    trustsInitial: Bool = true
  ) {
    self.locale = locale
    self.zone = zone
    self.values = values
    self.context = context
    self.appliesDefaults = appliesDefaults
    self.show = show
    self.watch = watch
    self.runsChecks = runsChecks
    self.trustsInitial = trustsInitial
  }
}
