import Forms
import JSON

/// The user's actions on one field, which decide when its messages are shown.
struct ShowModel {
  /// The user has changed its value, or one inside of it.
  var isEdited = false
  /// The user has left it, or one inside of it.
  var isTouched = false
  var isEditing = false
  var isComposing = false
  /// The last input has put in, removed or moved a row of it: its message shows although it is in editing.
  var showsNow = false
  /// A tap has revealed its messages; nil: maybe.
  var isRevealed: Bool? = false

  /// What is wrong with the message that is shown; nil: nothing.
  ///
  /// - Parameters:
  ///   - errors: those that the field has, the first one first.
  ///   - waiting: the codes of errors that show only with the errors of other fields.
  func problem(_ policy: ShowPolicy, _ errors: [JSON], _ message: JSON?, waiting: [JSON] = []) -> String? {
    if !waiting.isEmpty, isRevealed == nil { return nil }
    let mayShow =
      policy == .always || isRevealed == true
      ? errors
      : errors.filter { !["schema", "rule"].contains($0["source"]) || !waiting.contains($0["code"] ?? "") }
    guard let first = mayShow.first else {
      let isOne = message == nil || errors.contains { $0["message"] == message }
      return isOne ? nil : "shows a message without an error"
    }
    let isTime =
      switch policy {
      case .always: true
      case .edit: isEdited
      case .blur: isTouched
      case .submit: false
      }
    if !isTime, isRevealed == nil { return nil }
    if !isTime, isRevealed == false {
      // A server's message is shown under every policy.
      let told = errors.first { $0["source"] == "server" }?["message"]
      return message == told
        ? nil : "shows \(message ?? "nothing") too early, and a server has said \(told ?? "nothing")"
    }
    if !showsNow, isComposing || isEditing && policy == .blur {
      let isOne = message == nil || errors.contains { $0["message"] == message }
      return isOne ? nil : "shows \(message ?? "nothing"), which none of its errors says"
    }
    return message == first["message"] ? nil : "shows \(message ?? "nothing") and not the first of its errors"
  }
}
