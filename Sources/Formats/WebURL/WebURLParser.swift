/// The basic URL parser without a base and without a state override: URL Standard, section 4.4. The states and their
/// order are the standard's, so that the two can be read side by side; the states that need a base are left out.
struct WebURLParser {
  private enum State {
    case schemeStart
    case scheme
    case pathOrAuthority
    case specialAuthoritySlashes
    case specialAuthorityIgnoreSlashes
    case authority
    case host
    case port
    case file
    case fileSlash
    case fileHost
    case pathStart
    case path
    case opaquePath
    case query
    case fragment
    case failed
  }

  private let input: [Unicode.Scalar]
  private var pointer = 0
  private var state = State.schemeStart
  private var url = WebURL()
  private var buffer = String.UnicodeScalarView()
  private var sawAt = false
  private var isInBrackets = false
  private var sawPasswordColon = false

  init(_ text: String) {
    // Controls and spaces are dropped at both ends, tabs and line ends everywhere.
    var scalars = Array(text.unicodeScalars)[...]
    while let first = scalars.first, first.value <= 0x20 { scalars.removeFirst() }
    while let last = scalars.last, last.value <= 0x20 { scalars.removeLast() }
    input = scalars.filter { $0 != "\t" && $0 != "\n" && $0 != "\r" }
  }

  mutating func run() -> WebURL? {
    while true {
      step(pointer < input.count ? input[pointer] : nil)
      if state == .failed { return nil }
      if pointer >= input.count { return url }
      pointer += 1
    }
  }

  /// The code points after the current one.
  private var remaining: ArraySlice<Unicode.Scalar> { input[min(pointer + 1, input.count)...] }

  private mutating func step(_ c: Unicode.Scalar?) {
    switch state {
    case .schemeStart: schemeStart(c)
    case .scheme: scheme(c)
    case .pathOrAuthority: pathOrAuthority(c)
    case .specialAuthoritySlashes: specialAuthoritySlashes(c)
    case .specialAuthorityIgnoreSlashes: specialAuthorityIgnoreSlashes(c)
    case .authority: authority(c)
    case .host: host(c)
    case .port: port(c)
    case .file: file(c)
    case .fileSlash: fileSlash(c)
    case .fileHost: fileHost(c)
    case .pathStart: pathStart(c)
    case .path: path(c)
    case .opaquePath: opaquePath(c)
    case .query: query(c)
    case .fragment: fragment(c)
    case .failed: return
    }
  }

  private mutating func go(_ next: State, back: Int = 0) {
    state = next
    pointer -= back
  }

  private mutating func takeBuffer() -> String {
    defer { buffer.removeAll() }
    return String(buffer)
  }

  // MARK: Scheme

  private mutating func schemeStart(_ c: Unicode.Scalar?) {
    guard let c, isLetter(c) else { return go(.failed) }
    buffer.append(lowered(c))
    go(.scheme)
  }

  private mutating func scheme(_ c: Unicode.Scalar?) {
    guard let c else { return go(.failed) }
    if isLetter(c) || isDigit(c) || c == "+" || c == "-" || c == "." {
      buffer.append(lowered(c))
      return
    }
    guard c == ":" else { return go(.failed) }
    url.scheme = takeBuffer()
    if url.scheme == "file" {
      go(.file)
    } else if url.isSpecial {
      go(.specialAuthoritySlashes)
    } else if remaining.first == "/" {
      go(.pathOrAuthority)
      pointer += 1
    } else {
      url.path = .opaque("")
      go(.opaquePath)
    }
  }

  private mutating func pathOrAuthority(_ c: Unicode.Scalar?) {
    if c == "/" { return go(.authority) }
    go(.path, back: 1)
  }

  private mutating func specialAuthoritySlashes(_ c: Unicode.Scalar?) {
    if c == "/", remaining.first == "/" {
      go(.specialAuthorityIgnoreSlashes)
      pointer += 1
    } else {
      go(.specialAuthorityIgnoreSlashes, back: 1)
    }
  }

  private mutating func specialAuthorityIgnoreSlashes(_ c: Unicode.Scalar?) {
    if c != "/", c != "\\" { go(.authority, back: 1) }
  }

  // MARK: Authority

  /// Whether `c` ends the authority, the host or the path's first part.
  private func endsAuthority(_ c: Unicode.Scalar?) -> Bool {
    c == nil || c == "/" || c == "?" || c == "#" || (url.isSpecial && c == "\\")
  }

  private mutating func authority(_ c: Unicode.Scalar?) {
    if c == "@" {
      if sawAt { buffer.insert(contentsOf: "%40".unicodeScalars, at: buffer.startIndex) }
      sawAt = true
      for scalar in buffer {
        if scalar == ":", !sawPasswordColon {
          sawPasswordColon = true
        } else if sawPasswordColon {
          PercentEncodeSet.userinfo.append(scalar, to: &url.password)
        } else {
          PercentEncodeSet.userinfo.append(scalar, to: &url.username)
        }
      }
      buffer.removeAll()
    } else if endsAuthority(c) {
      if sawAt, buffer.isEmpty { return go(.failed) }
      let count = buffer.count
      buffer.removeAll()
      go(.host, back: count + 1)
    } else if let c {
      buffer.append(c)
    }
  }

  private mutating func host(_ c: Unicode.Scalar?) {
    if c == ":", !isInBrackets {
      guard !buffer.isEmpty, setHost() else { return go(.failed) }
      go(.port)
    } else if endsAuthority(c) {
      if url.isSpecial, buffer.isEmpty { return go(.failed) }
      guard setHost() else { return go(.failed) }
      go(.pathStart, back: 1)
    } else if let c {
      if c == "[" { isInBrackets = true }
      if c == "]" { isInBrackets = false }
      buffer.append(c)
    }
  }

  private mutating func setHost() -> Bool {
    guard let host = WebHost.parse(Array(buffer), isOpaque: !url.isSpecial) else { return false }
    buffer.removeAll()
    url.host = host
    return true
  }

  private mutating func port(_ c: Unicode.Scalar?) {
    if let c, isDigit(c) {
      buffer.append(c)
      return
    }
    guard endsAuthority(c) else { return go(.failed) }
    if !buffer.isEmpty {
      // The buffer holds digits only, so this fails only for a number that is too large.
      guard let port = UInt16(takeBuffer()) else { return go(.failed) }
      url.port = port == WebURL.defaultPort(url.scheme) ? nil : port
    }
    go(.pathStart, back: 1)
  }

  // MARK: File

  private mutating func file(_ c: Unicode.Scalar?) {
    url.host = .empty
    if c == "/" || c == "\\" { return go(.fileSlash) }
    go(.path, back: 1)
  }

  private mutating func fileSlash(_ c: Unicode.Scalar?) {
    if c == "/" || c == "\\" { return go(.fileHost) }
    go(.path, back: 1)
  }

  private mutating func fileHost(_ c: Unicode.Scalar?) {
    guard c == nil || c == "/" || c == "\\" || c == "?" || c == "#" else {
      if let c { buffer.append(c) }
      return
    }
    if WebURL.isDrive(buffer) {
      // The buffer stays: it is the first part of the path.
      return go(.path, back: 1)
    }
    if buffer.isEmpty {
      url.host = .empty
      return go(.pathStart, back: 1)
    }
    guard setHost() else { return go(.failed) }
    if case .domain("localhost") = url.host { url.host = .empty }
    go(.pathStart, back: 1)
  }

  // MARK: Path

  private mutating func pathStart(_ c: Unicode.Scalar?) {
    if url.isSpecial {
      go(.path, back: c == "/" || c == "\\" ? 0 : 1)
    } else if c == "?" {
      url.query = ""
      go(.query)
    } else if c == "#" {
      url.fragment = ""
      go(.fragment)
    } else if c != nil {
      go(.path, back: c == "/" ? 0 : 1)
    }
  }

  private mutating func path(_ c: Unicode.Scalar?) {
    let isSlash = c == "/" || (url.isSpecial && c == "\\")
    guard c == nil || isSlash || c == "?" || c == "#" else {
      if let c {
        var text = ""
        PercentEncodeSet.path.append(c, to: &text)
        buffer.append(contentsOf: text.unicodeScalars)
      }
      return
    }
    var segment = takeBuffer()
    let dots = segment.lowercased()
    if ["..", ".%2e", "%2e.", "%2e%2e"].contains(dots) {
      url.shortenPath()
      if !isSlash { url.append(segment: "") }
    } else if dots == "." || dots == "%2e" {
      if !isSlash { url.append(segment: "") }
    } else {
      if url.scheme == "file", case .segments(let segments) = url.path, segments.isEmpty,
        WebURL.isDrive(segment.unicodeScalars)
      {
        segment = String(segment.prefix(1)) + ":"
      }
      url.append(segment: segment)
    }
    if c == "?" {
      url.query = ""
      go(.query)
    } else if c == "#" {
      url.fragment = ""
      go(.fragment)
    }
  }

  private mutating func opaquePath(_ c: Unicode.Scalar?) {
    guard case .opaque(var text) = url.path else { return }
    if c == "?" {
      url.query = ""
      return go(.query)
    }
    if c == "#" {
      url.fragment = ""
      return go(.fragment)
    }
    guard let c else { return }
    if c == " " {
      // A space before the query or the fragment would be lost when they are taken away.
      text += remaining.first == "?" || remaining.first == "#" ? "%20" : " "
    } else {
      PercentEncodeSet.c0Control.append(c, to: &text)
    }
    url.path = .opaque(text)
  }

  private mutating func query(_ c: Unicode.Scalar?) {
    if c == "#" {
      url.fragment = ""
      return go(.fragment)
    }
    guard let c else { return }
    let set = url.isSpecial ? PercentEncodeSet.specialQuery : .query
    set.append(c, to: &url.query[default: ""])
  }

  private mutating func fragment(_ c: Unicode.Scalar?) {
    guard let c else { return }
    PercentEncodeSet.fragment.append(c, to: &url.fragment[default: ""])
  }

  // MARK: Characters

  private func isLetter(_ c: Unicode.Scalar) -> Bool { c.isASCII && ASCII.isLetter(UInt8(truncatingIfNeeded: c.value)) }

  private func isDigit(_ c: Unicode.Scalar) -> Bool { c.isASCII && ASCII.isDigit(UInt8(truncatingIfNeeded: c.value)) }

  private func lowered(_ c: Unicode.Scalar) -> Unicode.Scalar {
    isLetter(c) ? Unicode.Scalar(UInt8(truncatingIfNeeded: c.value) | 0x20) : c
  }
}

extension Optional {
  /// The value, or `fallback` until there is one.
  fileprivate subscript(default fallback: Wrapped) -> Wrapped {
    get { self ?? fallback }
    set { self = newValue }
  }
}
