/// Labels for people from the names of programs.
enum ReadableName {
  /// Words that are written with capital letters.
  private static let acronyms: Set<String> = [
    "api", "bic", "cc", "cpu", "css", "csv", "dns", "eu", "fax", "gps", "html", "http", "https", "iban", "id", "ip",
    "isbn", "json", "pdf", "pin", "ram", "sim", "sku", "sms", "smtp", "sql", "ssh", "ssl", "ssn", "tls", "ui", "uri",
    "url", "usb", "utc", "uuid", "vat", "vin", "xml", "zip",
  ]
  /// The words that replace abbreviations.
  private static let abbreviations = [
    "addr": "address", "amt": "amount", "desc": "description", "dob": "date of birth", "img": "image",
    "lang": "language", "msg": "message", "num": "number", "org": "organization", "passwd": "password",
    "pw": "password", "pwd": "password", "qty": "quantity", "tel": "telephone", "tz": "time zone",
  ]
  private static let spelled = ["ipv4": "IPv4", "ipv6": "IPv6", "oauth": "OAuth", "email": "email"]

  /// `firstName`, `first_name` and `first-name` are "First name", `pw` is "Password", `userID` is "User ID".
  static func label(_ name: String) -> String {
    let words = words(of: name).map { word in
      let lower = word.lowercased()
      if acronyms.contains(lower) { return lower.uppercased() }
      return spelled[lower] ?? abbreviations[lower] ?? lower
    }
    let text = words.joined(separator: " ")
    guard let first = text.first else { return name }
    return first.uppercased() + text.dropFirst()
  }

  /// Whether a generator made the title of a member of that name: pydantic's titles are the name itself, with spaces
  /// and capital letters (`str.title` of Python).
  static func isMachineMade(_ title: String, of name: String) -> Bool {
    title == name || title == pythonTitle(name)
  }

  /// Whether a text is the name of a class: one word, whose humps or underscores separate its words.
  static func isIdentifier(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { $0 == UInt8(ascii: "_") || $0.isLetterOrDigit }
  }

  private static func pythonTitle(_ name: String) -> String {
    var title = ""
    var isInWord = false
    for character in name {
      let spaced: Character = character == "_" ? " " : character
      title += isInWord ? spaced.lowercased() : spaced.uppercased()
      isInWord = character.isLetter
    }
    return title.split(separator: " ").joined(separator: " ")
  }

  /// The words of a name: humps and separators are between them.
  private static func words(of name: String) -> [String] {
    let characters = Array(name)
    var words: [String] = []
    var word = ""
    for (index, character) in characters.enumerated() {
      guard character.isLetter || character.isNumber || character == "'" else {
        if character == "_" || character == "-" || character == "." || character.isWhitespace {
          if !word.isEmpty { words.append(word) }
          word = ""
        } else {
          word.append(character)
        }
        continue
      }
      if character.isUppercase, index > 0 {
        let previous = characters[index - 1]
        let isLastCapital = index + 1 < characters.count && characters[index + 1].isLowercase
        if previous.isLowercase || previous.isNumber || previous.isUppercase && isLastCapital {
          if !word.isEmpty { words.append(word) }
          word = ""
        }
      }
      word.append(character)
    }
    if !word.isEmpty { words.append(word) }
    return words
  }
}

extension UInt8 {
  /// Whether it is a letter or a digit of ASCII.
  var isLetterOrDigit: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
  }
}
