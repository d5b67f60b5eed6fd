extension FunctionSummary {
  /// The result of each function of the libraries in words, by name.
  package static let lines: [String: String] = [
    // Conversions
    "bool": "a text such as 'true', 'f' or '1' as a bool",
    "bytes": "the UTF-8 bytes of a text",
    "double": "a number, or the number in a text, as a double",
    "duration": "a duration from a text such as '1h30m', or from a number of nanoseconds",
    "dyn": "the value as the type dyn: its type is checked at run time",
    "int": "a number without its fraction, the integer in a text, or the seconds of a timestamp since 1970",
    "string": "a value as a text",
    "timestamp": "a timestamp from a text such as '2026-11-22T17:00:00Z', or from seconds since 1970",
    "type": "the type of a value, for comparisons such as type(x) == map",
    "uint": "a number without its fraction, or the integer in a text, as an unsigned integer",
    // Texts
    "charAt": "the code point at a position; '' after the last one",
    "contains": "whether a text contains another text",
    "endsWith": "whether a text ends with another text",
    "format": "the text, with %s, %d, %f, %e, %b, %o, %x and %X replaced by the elements of a list",
    "graphemes": "the number of user-perceived characters (grapheme clusters)",
    "indexOf": "the first position of a text in another text; -1 if there is none",
    "join": "the texts of a list joined into one, with a separator between them",
    "lastIndexOf": "the last position of a text in another text; -1 if there is none",
    "lowerAscii": "the text with A to Z in lower case",
    "matches": "whether a regular expression (RE2) matches somewhere in the text",
    "nfc": "the text in Unicode's normalization form C",
    "replace": "the text with all occurrences of a text replaced by another, or only the given number of them",
    "reverse": "a text or a list in reverse order",
    "size": "the code points of a text, the bytes of bytes, the elements of a list, the entries of a map",
    "split": "the parts of a text between separators, all of them or at most the given number",
    "startsWith": "whether a text begins with another text",
    "strings.quote": "the text in quotes, with special characters escaped",
    "substring": "the code points from a start position up to an end position (not included), or to the end",
    "trim": "the text without white space at both ends",
    "upperAscii": "the text with a to z in upper case",
    "base64.decode": "the bytes that a base64 text encodes",
    "base64.encode": "bytes as a text in base64",
    "regex.extract": "the first match of a pattern, or of its group, as an optional",
    "regex.extractAll": "all matches of a pattern, or of its group",
    "regex.replace":
      "the text with all matches of a pattern replaced, or the given number; \\1 is the text of the first group",
    // Shapes of texts
    "isEmail": "whether a text is an email address by the rules of HTML's email inputs",
    "isHostAndPort": "whether a text is a host and a port; the argument sets whether the port is required",
    "isHostname": "whether a text is a host name",
    "isIp": "whether a text is an IP address, of version 4 or 6 if that is given",
    "isIpPrefix": "whether a text is an IP prefix; a bool argument sets whether the host bits must be zero",
    "isUri": "whether a text is a URI",
    "isUriRef": "whether a text is a URI or a relative reference",
    "ean": "whether a text is an EAN, UPC or GTIN of 8, 12, 13 or 14 digits, with a right check digit",
    "iban": "whether a text has the form of an IBAN, with right check digits; the lengths of countries do not count",
    "isbn": "whether a text is an ISBN of 10 or 13 digits, with a right check digit",
    "luhn": "whether a text is a number with a right check digit by Luhn's formula, as on payment cards",
    // Numbers
    "isInf": "whether a number is infinite; if a sign is given, with that sign",
    "isNan": "whether a number is NaN (not a number)",
    "math.abs": "the absolute value",
    "math.bitAnd": "the bitwise AND of two numbers",
    "math.bitNot": "the bitwise NOT of a number",
    "math.bitOr": "the bitwise OR of two numbers",
    "math.bitShiftLeft": "the bits of a number, shifted to the left by a number of places",
    "math.bitShiftRight": "the bits of a number, shifted to the right by a number of places",
    "math.bitXor": "the bitwise XOR of two numbers",
    "math.ceil": "the number rounded up to an integer, as a double",
    "math.floor": "the number rounded down to an integer, as a double",
    "math.isFinite": "whether a number is neither infinite nor NaN",
    "math.isInf": "whether a number is infinite",
    "math.isNaN": "whether a number is NaN (not a number)",
    "math.round": "the number rounded to an integer, halves away from zero, as a double",
    "math.sign": "-1, 0 or 1",
    "math.sqrt": "the square root",
    "math.trunc": "the number without its fraction, as a double",
    "round": "the number as written, rounded to the given decimal places, halves away from zero",
    // Dates and times
    "date": "midnight, in UTC, of a date such as '2026-11-22'; absent if the text is not a date",
    "exists":
      "whether the clocks of a zone show a local date and time: they skip some; absent if the text is not one",
    "instant":
      "the instant of a local date and time in a zone; a skipped time counts as if the clocks had not been changed, and of "
      + "a time that is there twice the first counts; absent if the text is not a local date and time",
    "localDateTime": "the date and time that the clocks of a zone show at an instant, such as '2026-11-28T14:30'",
    "days": "the days from one date to another; absent if a text is not a date",
    "years": "the whole years from one date to another, such as an age; absent if a text is not a date",
    "getDate": "the day of the month, from 1, in UTC or in a time zone",
    "getDayOfMonth": "the day of the month, from 0, in UTC or in a time zone",
    "getDayOfWeek": "the day of the week, 0 for Sunday, in UTC or in a time zone",
    "getDayOfYear": "the day of the year, from 0, in UTC or in a time zone",
    "getFullYear": "the year, in UTC or in a time zone",
    "getHours": "the hour of a timestamp in UTC or in a time zone, or the whole hours of a duration",
    "getMilliseconds": "the milliseconds within the second of a timestamp or a duration",
    "getMinutes": "the minute of a timestamp in UTC or in a time zone, or the whole minutes of a duration",
    "getMonth": "the month, from 0, in UTC or in a time zone",
    "getSeconds": "the second of a timestamp, or the whole seconds of a duration",
    // Lists
    "distinct": "the elements without repetitions",
    "first": "the first element, as an optional",
    "flatten": "the elements of the lists in a list, one level deep or as many levels as given",
    "last": "the last element, as an optional",
    "lists.range": "as many integers as given, from 0",
    "max": "the greatest element; absent elements are ignored, and without any the result is absent",
    "min": "the least element; absent elements are ignored, and without any the result is absent",
    "sets.contains": "whether all elements of the second list are in the first",
    "sets.equivalent": "whether two lists have the same elements, in any order and any number",
    "sets.intersects": "whether two lists have at least one element in common",
    "slice": "the elements from a start position up to an end position (not included)",
    "sort": "the elements in ascending order, without absent elements",
    "sum": "the sum of the elements, without absent elements; 0 for an empty list",
    "unique": "whether no two elements are equal",
    // Values that may be absent
    "hasValue": "whether an optional has a value",
    "optional.none": "an optional without a value",
    "optional.of": "an optional with the value; without one if the value is absent",
    "optional.ofNonZeroValue": "an optional with the value; without one if the value is empty, 0 or false",
    "optional.unwrap": "the values of the optionals in a list that have one",
    "unwrapOpt": "the values of the optionals in a list that have one",
    "or": "the first of two optionals that has a value",
    "orValue": "the value, or the argument if the value is absent",
    "value": "the value of an optional; an error if it has none",
    // Networks
    "cidr": "the network in a text such as '10.0.0.0/8'",
    "containsCIDR": "whether a network contains another network",
    "containsIP": "whether a network contains an address",
    "family": "the IP version of an address, 4 or 6",
    "ip": "the address in a text, or the address of a network",
    "ip.isCanonical": "whether a text is an address in its canonical notation",
    "isCIDR": "whether a text is a network",
    "isGlobalUnicast": "whether an address is a global unicast address",
    "isIP": "whether a text is an address",
    "isLinkLocalMulticast": "whether an address is a link-local multicast address",
    "isLinkLocalUnicast": "whether an address is a link-local unicast address",
    "isLoopback": "whether an address is a loopback address",
    "isMask": "whether all bits of a network after its prefix are zero",
    "isUnspecified": "whether an address is the unspecified address: 0.0.0.0 or ::",
    "masked": "the network with all bits after its prefix set to zero",
    "prefixLength": "the length of a network's prefix, in bits",
  ]

  /// The macros: the parser expands them before any call.
  static let macros: [FunctionSummary] = [
    macro(
      "all",
      ["list.all(x, condition)", "list.all(i, x, condition)"],
      gives: "bool",
      "whether the condition is true for every element"
    ),
    macro("cel.bind", ["cel.bind(x, value, body)"], gives: "A", "the body, in which the name has the value"),
    macro(
      "exists",
      ["list.exists(x, condition)", "list.exists(i, x, condition)"],
      gives: "bool",
      "whether the condition is true for at least one element"
    ),
    macro(
      "existsOne",
      ["list.existsOne(x, condition)", "list.existsOne(i, x, condition)"],
      gives: "bool",
      "whether the condition is true for exactly one element; exists_one is the same"
    ),
    macro(
      "filter",
      ["list.filter(x, condition)"],
      gives: "list(A)",
      "the elements of a list, or the keys of a map, for which the condition is true"
    ),
    macro(
      "fold",
      ["fold(list, start, a, x, body)"],
      gives: "A",
      "the body for each element x in turn, where a is the result so far, and the start before the first element"
    ),
    macro("has", ["has(a.b)"], gives: "bool", "whether the field has a value"),
    macro(
      "map",
      ["list.map(x, body)", "list.map(x, condition, body)"],
      gives: "list(A)",
      "the body for each element, or for each element for which the condition is true"
    ),
    macro("math.greatest", ["math.greatest(x, ...)"], gives: "A", "the greatest of some numbers, or of a list of them"),
    macro("math.least", ["math.least(x, ...)"], gives: "A", "the least of some numbers, or of a list of them"),
    macro(
      "optFlatMap",
      ["optional.optFlatMap(x, body)"],
      gives: "optional_type(A)",
      "the optional that the body makes of an optional's value"
    ),
    macro(
      "optMap",
      ["optional.optMap(x, body)"],
      gives: "optional_type(A)",
      "the result of the body for an optional's value, as an optional"
    ),
    macro(
      "sortBy",
      ["list.sortBy(x, key)"],
      gives: "list(A)",
      "the elements in the order of their keys; elements without a key come last"
    ),
    macro(
      "transformList",
      ["list.transformList(i, x, body)", "list.transformList(i, x, condition, body)"],
      gives: "list(A)",
      "a list of the body for each position, or key, and element"
    ),
    macro(
      "transformMap",
      ["list.transformMap(i, x, body)", "list.transformMap(i, x, condition, body)"],
      gives: "map(A, B)",
      "a map with the same keys, or with positions as keys, and the body for each element"
    ),
    macro(
      "transformMapEntry",
      ["list.transformMapEntry(i, x, body)", "list.transformMapEntry(i, x, condition, body)"],
      gives: "map(A, B)",
      "a map of all entries that the body makes, one for each element"
    ),
  ]

  private static func macro(_ name: String, _ ways: [String], gives result: String, _ line: String) -> FunctionSummary {
    FunctionSummary(name: name, signatures: ways.map { "\($0) -> \(result)" }, line: line)
  }
}
