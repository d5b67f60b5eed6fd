extension JSON {
  /// Reads one JSON text.
  ///
  /// - Parameters:
  ///   - bytes: UTF-8 without a byte order mark.
  ///   - limits: how deep and large the value may be.
  ///   - numbers: the handling of numbers that neither 64 bits nor a double hold.
  /// - Throws: ``JSONReadError`` with the place of the error.
  public init(
    parsing bytes: UnsafeBufferPointer<UInt8>,
    limits: JSONLimits = .file,
    numbers: JSONNumbers = .binary
  ) throws(JSONReadError) {
    if !bytes.isEmpty {
      var reader = JSONReader(bytes, limits: limits, numbers: numbers)
      if let value = reader.read() {
        self = value
        return
      }
      if !reader.numbersBeyond.isEmpty {
        throw Self.error(of: bytes, limits, without: reader.numbersBeyond, at: reader.position - reader.start)
      }
    }
    let tree = try JSONTree(parsing: bytes, limits: limits)
    self = tree.root.value()
  }

  /// The error of jansson for a text in which other numbers of the same length replace the numbers that it refuses.
  ///
  /// - Parameter offset: the byte at which reading ended: the place of the error if jansson finds none.
  private static func error(
    of bytes: UnsafeBufferPointer<UInt8>,
    _ limits: JSONLimits,
    without numbers: [Range<Int>],
    at offset: Int
  ) -> JSONReadError {
    var text = Array(bytes)
    for number in numbers {
      text[number.lowerBound] = UInt8(ascii: "0")
      for index in number.dropFirst() { text[index] = UInt8(ascii: " ") }
    }
    do throws(JSONReadError) {
      try text.withUnsafeBufferPointer { text throws(JSONReadError) in _ = try JSONTree(parsing: text, limits: limits) }
    } catch {
      return error
    }
    return JSONReadError(reason: .syntax, offset: offset, position: LineColumn(offset: offset, in: bytes))
  }

  /// Reads one JSON text.
  ///
  /// - Parameters:
  ///   - bytes: UTF-8 without a byte order mark.
  ///   - limits: how deep and large the value may be.
  ///   - numbers: the handling of numbers that neither 64 bits nor a double hold.
  /// - Throws: ``JSONReadError`` with the place of the error.
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
  /// - Throws: ``JSONReadError`` with the place of the error.
  public init(
    parsing text: String,
    limits: JSONLimits = .file,
    numbers: JSONNumbers = .binary
  ) throws(JSONReadError) {
    self = try JSON(parsing: Array(text.utf8), limits: limits, numbers: numbers)
  }
}
