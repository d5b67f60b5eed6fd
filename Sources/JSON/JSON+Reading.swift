extension JSON {
  /// Reads one JSON text.
  ///
  /// - Parameters:
  ///   - bytes: UTF-8 without a byte order mark.
  ///   - limits: how deep and large the value may be.
  /// - Throws: ``JSONReadError`` with the place of the fault.
  public init(
    parsing bytes: UnsafeBufferPointer<UInt8>,
    limits: JSONLimits = .file
  ) throws(JSONReadError) {
    let tree = try JSONTree(parsing: bytes, limits: limits)
    self = tree.root.value()
  }

  /// Reads one JSON text.
  ///
  /// - Parameters:
  ///   - bytes: UTF-8 without a byte order mark.
  ///   - limits: how deep and large the value may be.
  /// - Throws: ``JSONReadError`` with the place of the fault.
  public init(parsing bytes: [UInt8], limits: JSONLimits = .file) throws(JSONReadError) {
    self = try bytes.withUnsafeBufferPointer { pointer throws(JSONReadError) in
      try JSON(parsing: pointer, limits: limits)
    }
  }

  /// Reads one JSON text.
  ///
  /// - Throws: ``JSONReadError`` with the place of the fault.
  public init(parsing text: String, limits: JSONLimits = .file) throws(JSONReadError) {
    self = try JSON(parsing: Array(text.utf8), limits: limits)
  }
}
