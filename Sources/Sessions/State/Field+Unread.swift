internal import Forms
internal import JSONSchema
internal import LocaleFormats

extension Field {
  /// Whether a failure says that a text could not be read: a number is a text, or a date is not one of ISO 8601.
  func isUnread(_ failure: Failure) -> Bool {
    guard let read, failure.kind == .invalid else { return false }
    return failure.keyword == (read.kind.isNumber ? .type : .format)
  }
}
