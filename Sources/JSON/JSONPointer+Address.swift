/// Pointers as addresses: a pointer of one name may be written as that name, without the slash.
extension JSONPointer {
  /// Reads a name (`email`) or a JSON Pointer (`/address/city`); nil when the text begins with a slash and is not a
  /// valid JSON Pointer.
  public init?(address: String) {
    guard address.utf8.first == UInt8(ascii: "/") else {
      self.init(tokens: [address])
      return
    }
    self.init(address)
  }

  /// The pointer as an address: of one name the name itself, unless it would read as a pointer.
  public var address: String {
    tokens.count == 1 && tokens[0].utf8.first != UInt8(ascii: "/") ? tokens[0] : description
  }
}
