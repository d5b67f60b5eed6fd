/// Whether a client is notified when the forms are reloaded.
enum FormsWatch {
  /// It has not asked for that.
  case off
  /// It knows the current forms. Then `behind`.
  case current
  /// They were reloaded while it read slowly. Then `current`, when there is room.
  case behind
}
