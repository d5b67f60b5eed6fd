internal import DocumentProperties
internal import Forms

/// One step of a session: sums over the fields that it names.
struct StepState {
  /// Always the number of fields without the flag `isValid`.
  var invalid: Int32 = 0
  /// Always the number of fields with the flag `isPending`.
  var pending: Int32 = 0
  /// Always the number of fields with the flag `isTouched`.
  var touched: Int32 = 0
  var flags = StepFlags.usual

  var isValid: Bool { flags.contains(.isValid) }
  var isPending: Bool { flags.contains(.isPending) }
}

struct StepFlags: PropertyFlags {
  typealias Property = StepProperty
  let rawValue: UInt8

  /// The flags in the beginning.
  static let usual = StepFlags(where: \.isUsuallyTrue)

  static var isVisible: StepFlags { StepFlags(.isVisible) }
  static var isValid: StepFlags { StepFlags(.isValid) }
  static var isPending: StepFlags { StepFlags(.isPending) }
  static var isTouched: StepFlags { StepFlags(.isTouched) }
  /// The user went there last. No step has this flag while the last one is the first step.
  static let isChosen = StepFlags(rawValue: 1 << 7)
}

extension Session {
  /// The step that the user went to last, shown or not. Nil for a form without steps.
  var chosenStep: Int? {
    form.steps.isEmpty ? nil : form.steps.indices.first { steps[$0].flags.contains(.isChosen) } ?? 0
  }

  /// The step that the user sees: the step that they went to last. While it is hidden, it is the next step that is
  /// shown, or else the last shown step before it. Nil if no step is shown.
  public var currentStep: Int? {
    guard let chosen = chosenStep else { return nil }
    let shown = form.steps.indices.filter { steps[$0].flags.contains(.isVisible) }
    return shown.first { $0 >= chosen } ?? shown.last
  }

  /// Whether a step is shown.
  public func isVisible(step: Int) -> Bool { steps[step].flags.contains(.isVisible) }
}
