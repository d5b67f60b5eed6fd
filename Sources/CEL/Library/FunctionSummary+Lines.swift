extension FunctionSummary {
  /// The result of each function of the libraries in words, by name.
  package static let lines: [String: String] = [
    // Conversions
    "bool": "a text as a truth: 'true', 'false', 't', '1' and the like",
    "bytes": "the UTF-8 of a text",
    "double": "a number, or the number that a text spells, as a decimal number",
    "duration": "a length of time: of a text such as '1h30m', or of a number of nanoseconds",
    "dyn": "the value, of no known type: its type is asked when it is there",
    "int": "a number without its fraction, the whole number that a text spells, or the seconds of an instant",
    "string": "a value as a text",
    "timestamp": "an instant: of a text such as '2026-11-22T17:00:00Z', or of seconds since 1970",
    "type": "the type of a value, to be compared: type(x) == map",
    "uint": "a number without its fraction, or the one that a text spells, as a whole number without a sign",
    // Texts
    "charAt": "the code point at a position, '' behind the last",
    "contains": "whether a text has another in it",
    "endsWith": "whether a text ends with another",
    "format": "the text with %s, %d, %f, %e, %b, %o, %x and %X filled from a list",
    "graphemes": "the number of characters as people count them",
    "indexOf": "the first position of a text in another; -1 where it is not",
    "join": "the texts of a list as one, with a text between them",
    "lastIndexOf": "the last position of a text in another; -1 where it is not",
    "lowerAscii": "the text with A to Z in lower case",
    "matches": "whether a regular expression (RE2) matches somewhere in the text",
    "nfc": "the text in Unicode's normalization form C",
    "replace": "the text with one text in place of another, everywhere or so many times",
    "reverse": "a text or a list from its end to its beginning",
    "size": "the code points of a text, the bytes of bytes, the elements of a list, the entries of a map",
    "split": "the parts of a text between the places where another stands, all or so many",
    "startsWith": "whether a text begins with another",
    "strings.quote": "the text in quotes, with what is special escaped",
    "substring": "the code points from one position up to another, or to the end",
    "trim": "the text without white space at both ends",
    "upperAscii": "the text with a to z in upper case",
    "base64.decode": "the bytes that a text in base64 spells",
    "base64.encode": "bytes as a text in base64",
    "regex.extract": "the first match of a pattern, or of its group, as an optional",
    "regex.extractAll": "all matches of a pattern, or of its group",
    "regex.replace":
      "the text with the matches of a pattern replaced, all or so many; \\1 is what the first group matched",
    // Shapes of texts
    "isEmail": "whether a text is an email address, as HTML's inputs judge it",
    "isHostAndPort": "whether a text is a host and a port; the truth says whether the port is required",
    "isHostname": "whether a text is a host name",
    "isIp": "whether a text is an IP address, of the version 4 or 6 where one is given",
    "isIpPrefix": "whether a text is an IP network; a truth says whether the bits of the host must be zero",
    "isUri": "whether a text is a URI",
    "isUriRef": "whether a text is a URI or a relative reference",
    // Numbers
    "isInf": "whether a number is infinite; with a sign, of that sign",
    "isNan": "whether a number is none",
    "math.abs": "the number without its sign",
    "math.bitAnd": "the bits that both numbers have",
    "math.bitNot": "the bits that the number lacks",
    "math.bitOr": "the bits that either number has",
    "math.bitShiftLeft": "the bits, so many places further to the left",
    "math.bitShiftRight": "the bits, so many places further to the right",
    "math.bitXor": "the bits that one of both numbers has",
    "math.ceil": "the next whole number above, as a decimal number",
    "math.floor": "the next whole number below, as a decimal number",
    "math.isFinite": "whether a number is neither infinite nor none",
    "math.isInf": "whether a number is infinite",
    "math.isNaN": "whether a number is none",
    "math.round": "the nearest whole number as a decimal number, halves away from zero",
    "math.sign": "-1, 0 or 1",
    "math.sqrt": "the square root",
    "math.trunc": "the number without its fraction, as a decimal number",
    "round": "the number with so many digits behind the point, halves away from zero, as it is written",
    // Dates and times
    "date": "the beginning, in UTC, of a date such as '2026-11-22'; absent for a text that is none",
    "days": "the days from one date to another; absent for a text that is none",
    "years": "the whole years from one date to another, an age; absent for a text that is none",
    "getDate": "the day of the month, from 1; in UTC, or in a zone",
    "getDayOfMonth": "the day of the month, from 0; in UTC, or in a zone",
    "getDayOfWeek": "the day of the week, 0 for Sunday; in UTC, or in a zone",
    "getDayOfYear": "the day of the year, from 0; in UTC, or in a zone",
    "getFullYear": "the year; in UTC, or in a zone",
    "getHours": "the hour of an instant in UTC or in a zone, or all the hours of a duration",
    "getMilliseconds": "the milliseconds of an instant's second, or those of a duration's second",
    "getMinutes": "the minute of an instant in UTC or in a zone, or all the minutes of a duration",
    "getMonth": "the month, from 0; in UTC, or in a zone",
    "getSeconds": "the second of an instant, or all the seconds of a duration",
    // Lists
    "distinct": "the elements, each once",
    "first": "the first element, as an optional",
    "flatten": "the elements of the lists in a list, one level deep, or so many",
    "last": "the last element, as an optional",
    "lists.range": "the whole numbers from 0, so many",
    "max": "the greatest element that is there; absent where there is none",
    "min": "the least element that is there; absent where there is none",
    "sets.contains": "whether all elements of the second list are in the first",
    "sets.equivalent": "whether two lists have the same elements, in any order and number",
    "sets.intersects": "whether two lists have an element in common",
    "slice": "the elements from one position up to another",
    "sort": "the elements in order; those that are absent are left out",
    "sum": "the elements added up; those that are absent are left out, and nothing adds up to 0",
    "unique": "whether no two elements are equal",
    // Values that may be absent
    "hasValue": "whether an optional holds something",
    "optional.none": "an optional that holds nothing",
    "optional.of": "an optional that holds the value; nothing where it is absent",
    "optional.ofNonZeroValue": "an optional that holds the value, but not one that is empty, 0 or false",
    "optional.unwrap": "what the optionals of a list hold",
    "unwrapOpt": "what the optionals of a list hold",
    "or": "the first of two optionals that holds something",
    "orValue": "the value, or the other one where it is absent",
    "value": "what an optional holds; a fault where it holds nothing",
    // Networks
    "cidr": "the network that a text such as '10.0.0.0/8' spells",
    "containsCIDR": "whether a network holds another",
    "containsIP": "whether a network holds an address",
    "family": "4 or 6, the version of an address",
    "ip": "the address that a text spells, or that of a network",
    "ip.isCanonical": "whether a text spells an address in the usual way",
    "isCIDR": "whether a text spells a network",
    "isGlobalUnicast": "whether an address is one of a single host beyond the link",
    "isIP": "whether a text spells an address",
    "isLinkLocalMulticast": "whether an address is one of several hosts of the link",
    "isLinkLocalUnicast": "whether an address is one of a single host of the link",
    "isLoopback": "whether an address is the machine's own",
    "isMask": "whether a network has no bit beyond its prefix",
    "isUnspecified": "whether an address is the one that stands for none",
    "masked": "the network without the bits beyond its prefix",
    "prefixLength": "how many bits the prefix of a network has",
  ]

  /// The macros: the parser expands them before any call.
  static let macros: [FunctionSummary] = [
    macro(
      "all",
      ["list.all(x, condition)", "list.all(i, x, condition)"],
      gives: "bool",
      "whether the condition holds for every element"
    ),
    macro("cel.bind", ["cel.bind(x, value, body)"], gives: "A", "the body, in which the name stands for the value"),
    macro(
      "exists",
      ["list.exists(x, condition)", "list.exists(i, x, condition)"],
      gives: "bool",
      "whether the condition holds for an element"
    ),
    macro(
      "existsOne",
      ["list.existsOne(x, condition)", "list.existsOne(i, x, condition)"],
      gives: "bool",
      "whether the condition holds for exactly one element; exists_one is the same"
    ),
    macro(
      "filter",
      ["list.filter(x, condition)"],
      gives: "list(A)",
      "the elements, of a map the keys, for which the condition holds"
    ),
    macro("has", ["has(a.b)"], gives: "bool", "whether there is a value"),
    macro(
      "map",
      ["list.map(x, body)", "list.map(x, condition, body)"],
      gives: "list(A)",
      "the body for each element, or for each for which the condition holds"
    ),
    macro("math.greatest", ["math.greatest(x, ...)"], gives: "A", "the greatest of some numbers, or of a list of them"),
    macro("math.least", ["math.least(x, ...)"], gives: "A", "the least of some numbers, or of a list of them"),
    macro(
      "optFlatMap",
      ["optional.optFlatMap(x, body)"],
      gives: "optional_type(A)",
      "the optional that the body makes of what an optional holds"
    ),
    macro(
      "optMap",
      ["optional.optMap(x, body)"],
      gives: "optional_type(A)",
      "what the body makes of what an optional holds, as an optional"
    ),
    macro(
      "sortBy",
      ["list.sortBy(x, key)"],
      gives: "list(A)",
      "the elements in the order of their keys; those without a key stand last"
    ),
    macro(
      "transformList",
      ["list.transformList(i, x, body)", "list.transformList(i, x, condition, body)"],
      gives: "list(A)",
      "the body for each position, or key, and element"
    ),
    macro(
      "transformMap",
      ["list.transformMap(i, x, body)", "list.transformMap(i, x, condition, body)"],
      gives: "map(A, B)",
      "a map with the same keys, or the positions, and the body for each element"
    ),
    macro(
      "transformMapEntry",
      ["list.transformMapEntry(i, x, body)", "list.transformMapEntry(i, x, condition, body)"],
      gives: "map(A, B)",
      "a map of the entries that the body makes of each element"
    ),
  ]

  private static func macro(_ name: String, _ ways: [String], gives result: String, _ line: String) -> FunctionSummary {
    FunctionSummary(name: name, signatures: ways.map { "\($0) -> \(result)" }, line: line)
  }
}
