internal import Texts

extension String {
  /// The text with each ASCII character changed; `body` leaves other bytes alone.
  func mappingCodeUnits(_ body: (UInt8) -> UInt8) -> Value {
    withCodeUnits { bytes in
      .string(
        String(unsafeUninitializedCapacity: bytes.count) { buffer in
          for index in bytes.indices { buffer[index] = body(bytes[index]) }
          return bytes.count
        }
      )
    }
  }

  /// The text without white space (Unicode's `White_Space`) at both ends.
  var trimmed: String {
    let scalars = unicodeScalars
    guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }) else { return "" }
    var end = scalars.endIndex
    while end > first, scalars[scalars.index(before: end)].properties.isWhitespace { end = scalars.index(before: end) }
    return first == scalars.startIndex && end == scalars.endIndex ? self : String(scalars[first..<end])
  }

  /// The text with up to `countMax` occurrences of `old` replaced from the left, all if negative. An empty `old`
  /// occurs before each code point and at the end.
  func replacing(_ old: String, with new: String, countMax: Int64) -> Value {
    if countMax == 0 { return .string(self) }
    let limit = countMax < 0 ? Int.max : Int(clamping: countMax)
    return withCodeUnits { bytes in
      old.withCodeUnits { old in
        new.withCodeUnits { new in
          var result: [UInt8] = []
          result.reserveCapacity(bytes.count)
          var position = 0
          var count = 0
          while count < limit {
            if old.isEmpty {
              result.append(contentsOf: new)
              count += 1
              guard position < bytes.count else { break }
              let next = position + bytes.codePointLength(at: position)
              result.append(contentsOf: bytes[position..<next])
              position = next
            } else {
              guard let found = bytes.offset(of: old, from: position) else { break }
              result.append(contentsOf: bytes[position..<found])
              result.append(contentsOf: new)
              position = found + old.count
              count += 1
            }
            guard result.count + bytes.count - position <= ResultLimits.bytesMax else {
              return ResultLimits.textTooLarge
            }
          }
          if count == 0 { return .string(self) }
          result.append(contentsOf: bytes[position...])
          return .string(String(decoding: result, as: UTF8.self))
        }
      }
    }
  }

  /// The parts between occurrences of the separator: all of them if `countMax` is negative, otherwise at most
  /// `countMax` parts, and the last part is then the rest. The last part is then the rest. An empty separator divides
  /// into code points.
  func split(by separator: String, countMax: Int64) -> Value {
    if countMax == 0 { return .list(ListValue()) }
    if countMax == 1 { return .list([.string(self)]) }
    let limit = countMax < 0 ? Int.max : Int(clamping: countMax)
    return withCodeUnits { bytes in
      separator.withCodeUnits { separator in
        var parts: [Value] = []
        var position = 0
        while parts.count + 1 < limit {
          let end: Int
          if separator.isEmpty {
            guard position < bytes.count else { break }
            end = position + bytes.codePointLength(at: position)
            // The last code point is the rest.
            if end == bytes.count { break }
          } else {
            guard let found = bytes.offset(of: separator, from: position) else { break }
            end = found
          }
          guard parts.count < ResultLimits.elementsMax else { return ResultLimits.listTooLarge }
          parts.append(.string(String(codeUnits: bytes[position..<end])))
          position = end + separator.count
        }
        if !(separator.isEmpty && bytes.isEmpty) { parts.append(.string(String(codeUnits: bytes[position...]))) }
        return .list(ListValue(parts))
      }
    }
  }
}

extension ListValue {
  /// The texts of the list one after another with the separator between them.
  func joined(by separator: String) -> Value {
    var result = ""
    for (position, element) in elements.enumerated() {
      guard case .string(let text) = element else { return .error(.noSuchOverload) }
      guard result.utf8.count + text.utf8.count + separator.utf8.count <= ResultLimits.bytesMax else {
        return ResultLimits.textTooLarge
      }
      if position > 0 { result += separator }
      result += text
    }
    return .string(result)
  }
}
