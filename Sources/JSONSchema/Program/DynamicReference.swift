/// A `$dynamicRef` whose target depends on how it was reached (core, section 8.2.3.2).
struct DynamicReference: Sendable {
  /// The schema that it means when no resource on the way has such an anchor.
  var initial: Int32
  /// Which of ``Program/dynamicAnchors``.
  var anchor: Int32
}

/// The schema of a dynamic anchor's name in each resource that has one.
typealias DynamicAnchors = [Int32: Int32]
