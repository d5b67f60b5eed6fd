/// Cases that are not run, with the reason of each. "Not built" is no reason.
enum SkipList {
  /// Why a case is not run, or nil if it is. An entry without a group stands for the whole file.
  static func reason(suite: String, file: String, group: String) -> String? {
    for entry in entries where entry.suite == suite && entry.file == file {
      if entry.group == nil || entry.group == group { return entry.reason }
    }
    return nil
  }

  private static let entries: [(suite: String, file: String, group: String?, reason: String)] = []

  /// For a file that libjansson refuses.
  static let integerRange = "the file has integers beyond 64 bits, which libjansson cannot read"
}
