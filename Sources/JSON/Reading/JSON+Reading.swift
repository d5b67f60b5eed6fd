extension JSON {
  /// Reads one JSON text.
  ///
  /// - Parameters:
  ///   - bytes: UTF-8 without a byte order mark.
  ///   - limits: how deep and large the value may be.
  ///   - numbers: the handling of numbers that neither 64 bits nor a double hold.
  /// - Throws: ``JSONReadError`` with the position of the error.
  public init(
    parsing bytes: UnsafeBufferPointer<UInt8>,
    limits: JSONLimits = .file,
    numbers: JSONNumbers = .binary
  ) throws(JSONReadError) {
    if numbers == .exact {
      let exact = ExactNumbers(of: bytes)
      if !exact.isEmpty {
        self = exact.restored(in: try JSON(parsing: exact.replaced(in: bytes), limits: limits))
        return
      }
    }
    let tree = try JSONTree(parsing: bytes, limits: limits)
    self = tree.root.value()
  }

  /// Reads one JSON text.
  ///
  /// - Parameters:
  ///   - bytes: UTF-8 without a byte order mark.
  ///   - limits: how deep and large the value may be.
  ///   - numbers: the handling of numbers that neither 64 bits nor a double hold.
  /// - Throws: ``JSONReadError`` with the position of the error.
  public init(
    parsing bytes: [UInt8],
    limits: JSONLimits = .file,
    numbers: JSONNumbers = .binary
  ) throws(JSONReadError) {
    self = try bytes.withUnsafeBufferPointer { pointer throws(JSONReadError) in
      try JSON(parsing: pointer, limits: limits, numbers: numbers)
    }
  }

  /// Reads one JSON text.
  ///
  /// - Throws: ``JSONReadError`` with the position of the error.
  public init(
    parsing text: String,
    limits: JSONLimits = .file,
    numbers: JSONNumbers = .binary
  ) throws(JSONReadError) {
    self = try JSON(parsing: Array(text.utf8), limits: limits, numbers: numbers)
  }
}
