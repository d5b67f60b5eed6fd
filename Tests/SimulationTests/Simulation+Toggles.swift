import FormProtocol
import Forms
import JSON
import SessionCalls
import Sessions

/// The user's marks in a multiple choice.
extension Simulation {
  /// A value that the list has goes, also if it is there several times. Another value comes at the end.
  mutating func toggle(_ value: JSON, in list: ResolvedAddress) {
    let before = session.value(of: list)?.arrayValue ?? []
    let expected = before.contains(value) ? before.filter { $0 != value } : before + [value]
    var params = FieldToggleParams()
    params.field = session.address(of: list)
    params.value = value
    do { apply(try params.input(for: session)) } catch { found("\(params.field) cannot be toggled: \(error)") }
    let after = session.value(of: list)
    if after != .array(expected) { found("\(value) was toggled in \(before), which gives \(after ?? "nothing")") }
  }
}
