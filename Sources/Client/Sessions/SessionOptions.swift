internal import FormProtocol
public import JSON

/// The options of an opening.
public struct SessionOptions: Hashable, Sendable {
  /// The language of messages, such as `ko` or `en-GB`; nil: the form's default.
  public var locale: String?
  /// The time zone that decides what `today` is, such as `Europe/Zurich` or `UTC`; nil: the daemon's.
  public var zone: String?
  /// The initial values by field. Fields without one begin with their default.
  public var values: JSONObject
  /// The values that formulas read as `context`; nil: none.
  public var context: JSONObject?
  /// Whether every message is shown at once, regardless of the fields' policies.
  public var showsEverything: Bool
  /// The parts of the document that updates cover; nil: all. Events always arrive.
  public var watched: [JSONPointer]?
  /// The time for which the session is kept without clients, at most a day; nil: it ends with its connection. A kept
  /// session has a ``FormSession/key``, and a reconnect attaches it again.
  public var kept: Duration?

  /// Options; by default the form decides everything.
  public init(
    locale: String? = nil,
    zone: String? = nil,
    values: JSONObject = [:],
    context: JSONObject? = nil,
    showsEverything: Bool = false,
    watched: [JSONPointer]? = nil,
    kept: Duration? = nil
  ) {
    self.locale = locale
    self.zone = zone
    self.values = values
    self.context = context
    self.showsEverything = showsEverything
    self.watched = watched
    self.kept = kept
  }
}

extension SessionOpenParams {
  /// Params with those options, and without a form.
  init(_ options: SessionOptions) {
    self.init()
    locale = options.locale
    zone = options.zone
    values = options.values.isEmpty ? nil : options.values
    context = options.context
    show = options.showsEverything ? .always : nil
    watch = options.watched
    keep = options.kept.map { "\(Int($0 / .milliseconds(1)))ms" }
  }
}
