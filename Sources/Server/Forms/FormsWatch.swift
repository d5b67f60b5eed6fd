/// Whether a client is told of the forms when they are read anew.
enum FormsWatch {
  /// It has not asked for that.
  case off
  /// It knows the forms that there are. Then `behind`.
  case current
  /// They were read anew while it read slowly. Then `current`, when there is room.
  case behind
}
