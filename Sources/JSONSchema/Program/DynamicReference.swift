/// A `$dynamicRef` whose target depends on how it was reached (core, section 8.2.3.2).
struct DynamicReference: Sendable {
  /// The schema that it means when no resource on the way has such an anchor; -1 if there is none.
  var initial: Int32
  /// The schema of that dynamic anchor in each resource that has one.
  var candidates: [(resource: Int32, schema: Int32)]
}
