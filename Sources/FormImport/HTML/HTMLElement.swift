/// An element of a page.
final class HTMLElement {
  /// The name, in lower case.
  let name: String
  /// The attributes, by their names in lower case; one without a value has the empty text.
  let attributes: [String: String]
  /// The bytes of the start tag in the page.
  let range: Range<Int>
  /// The content, in order.
  fileprivate(set) var children: [Child] = []
  /// The element around it; nil for the page itself.
  private(set) weak var parent: HTMLElement?

  /// A part of an element's content.
  enum Child {
    case element(HTMLElement)
    case text(String)
  }

  init(name: String, attributes: [String: String], range: Range<Int>) {
    self.name = name
    self.attributes = attributes
    self.range = range
  }

  /// Adds content at the end.
  func append(_ child: Child) {
    if case .element(let element) = child { element.parent = self }
    children.append(child)
  }

  /// The value of an attribute; nil if the element does not have it.
  subscript(attribute: String) -> String? { attributes[attribute] }

  /// Whether the element has the attribute, whatever its value.
  func has(_ attribute: String) -> Bool { attributes[attribute] != nil }

  /// The elements inside, in the order of the page.
  var descendants: [HTMLElement] {
    var found: [HTMLElement] = []
    var waiting = Array(elements.reversed())
    while let next = waiting.popLast() {
      found.append(next)
      waiting += next.elements.reversed()
    }
    return found
  }

  /// The elements directly inside.
  var elements: [HTMLElement] {
    children.compactMap { if case .element(let element) = $0 { element } else { nil } }
  }

  /// The elements around it, from the inside out.
  var ancestors: [HTMLElement] {
    var found: [HTMLElement] = []
    var next = parent
    while let element = next {
      found.append(element)
      next = element.parent
    }
    return found
  }

  /// The text for readers: white space collapsed, and without the content of controls and scripts.
  var text: String {
    words.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// The text with all white space.
  var rawText: String {
    children.reduce(into: "") { text, child in
      switch child {
      case .text(let part): text += part
      case .element(let element): text += element.rawText
      }
    }
  }

  private var words: String {
    children.reduce(into: "") { text, child in
      switch child {
      case .text(let part): text += part
      case .element(let element) where !Self.withoutText.contains(element.name): text += element.words
      case .element: text += " "
      }
    }
  }

  private static let withoutText: Set<String> = [
    "script", "style", "select", "textarea", "button", "datalist", "template", "svg",
  ]
}
