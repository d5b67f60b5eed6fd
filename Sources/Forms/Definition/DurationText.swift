/// Reads `"300ms"`, `"10s"`, `"1.5s"`, `"2m"` or `"1h"`; nil for anything else, negative and beyond a day.
public func duration(from text: String) -> Duration? { duration(from: text, hoursMax: 24) }

/// Reads a duration that may be longer.
package func duration(from text: String, hoursMax: Double) -> Duration? {
  let units: [(suffix: String, nanoseconds: Double)] = [
    ("ms", 1e6), ("s", 1e9), ("m", 60e9), ("h", 3600e9),
  ]
  for (suffix, nanoseconds) in units where text.hasSuffix(suffix) {
    let number = text.dropLast(suffix.count)
    guard !number.isEmpty, number.utf8.allSatisfy({ ($0 >= 48 && $0 <= 57) || $0 == UInt8(ascii: ".") }),
      let value = Double(number), value * nanoseconds <= hoursMax * 3600e9
    else { return nil }
    return .nanoseconds(Int64((value * nanoseconds).rounded()))
  }
  return nil
}
