/// A text as a key: compared and hashed by its UTF-8.
package struct UTF8Key: Hashable, Sendable {
  package let text: String

  package init(text: String) { self.text = text }

  package static func == (left: UTF8Key, right: UTF8Key) -> Bool { left.text.hasSameUTF8(as: right.text) }
  package func hash(into hasher: inout Hasher) { text.hashUTF8(into: &hasher) }
}
