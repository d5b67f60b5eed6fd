extension UInt8 {
  /// Whether it is white space of JSON (RFC 8259, section 2).
  package var isJSONSpace: Bool { self == 0x20 || self == 0x0a || self == 0x0d || self == 0x09 }
}
