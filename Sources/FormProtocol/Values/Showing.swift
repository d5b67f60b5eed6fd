/// When the messages of a field are shown.
public enum Showing: WireName {
  /// From the beginning.
  case always
  /// From the first edit on.
  case edit
  /// From the end of the first editing on.
  case blur
  /// From the first tap on.
  case submit

  package static let schemaName: StaticString? = "Showing"

  package var wireName: StaticString {
    switch self {
    case .always: "always"
    case .edit: "edit"
    case .blur: "blur"
    case .submit: "submit"
    }
  }
}
