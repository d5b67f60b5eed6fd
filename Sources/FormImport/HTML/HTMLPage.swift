internal import CXML2

/// Reads pages by libxml2, whose reader accepts every text.
enum HTMLPage {
  /// libxml2 must be prepared once, before any thread reads.
  private static let prepared: Void = xmlInitParser()

  /// The page of a text; nil if libxml2 finds no element in it.
  ///
  /// - Parameter bytes: UTF-8, without a byte order mark.
  static func read(_ bytes: [UInt8]) -> HTMLElement? {
    _ = prepared
    guard let size = CInt(exactly: bytes.count), let context = htmlNewParserCtxt() else { return nil }
    defer { htmlFreeParserCtxt(context) }
    // The tree knows only the lines of elements. When an element begins, the reader has read its attributes.
    context.pointee.sax.pointee.startElement = { context, name, attributes in
      xmlSAX2StartElement(context, name, attributes)
      guard let reader = context?.assumingMemoryBound(to: xmlParserCtxt.self).pointee, let node = reader.node,
        let input = reader.input?.pointee, let start = input.base, let current = input.cur
      else { return }
      let offset = Int(input.consumed) + (current - start)
      node.pointee._private = UnsafeMutableRawPointer(bitPattern: offset + 1)
    }
    let options =
      HTML_PARSE_RECOVER.rawValue | HTML_PARSE_NOERROR.rawValue | HTML_PARSE_NOWARNING.rawValue
      | HTML_PARSE_NONET.rawValue | HTML_PARSE_NODEFDTD.rawValue | HTML_PARSE_IGNORE_ENC.rawValue
    let document = bytes.withUnsafeBufferPointer { bytes in
      bytes.withMemoryRebound(to: CChar.self) { text in
        // Without an encoding, libxml2 takes the bytes for ISO 8859-1.
        htmlCtxtReadMemory(context, text.baseAddress, size, nil, "UTF-8", CInt(options))
      }
    }
    guard let document else { return nil }
    defer { xmlFreeDoc(document) }
    guard let root = xmlDocGetRootElement(document) else { return nil }
    return element(root, bytes)
  }

  /// An element with its content. libxml2 limits the depth of a page, so recursion ends.
  private static func element(_ node: xmlNodePtr, _ bytes: [UInt8]) -> HTMLElement {
    let name = text(node.pointee.name).lowercased()
    var attributes: [String: String] = [:]
    var attribute = node.pointee.properties
    while let current = attribute {
      attributes[text(current.pointee.name).lowercased()] =
        current.pointee.children.map { text($0.pointee.content) } ?? ""
      attribute = current.pointee.next
    }
    let end = Int(bitPattern: node.pointee._private) - 1
    let element = HTMLElement(name: name, attributes: attributes, range: startTag(name, before: end, bytes))
    var child = node.pointee.children
    while let current = child {
      switch current.pointee.type {
      case XML_ELEMENT_NODE: element.append(.element(self.element(current, bytes)))
      case XML_TEXT_NODE, XML_CDATA_SECTION_NODE: element.append(.text(text(current.pointee.content)))
      default: break
      }
      child = current.pointee.next
    }
    return element
  }

  private static func text(_ pointer: UnsafePointer<xmlChar>?) -> String {
    pointer.map { String(cString: $0) } ?? ""
  }

  /// The bytes of the start tag that ends there; empty for an element that the reader has added.
  private static func startTag(_ name: String, before end: Int, _ bytes: [UInt8]) -> Range<Int> {
    let end = min(max(end, 0), bytes.count)
    let mark = [UInt8(ascii: "<")] + Array(name.utf8)
    var start = end - mark.count
    while start >= 0 {
      if bytes[start] == mark[0], bytes[start..<start + mark.count].elementsEqual(mark, by: { $0 | 0x20 == $1 | 0x20 })
      {
        let next = start + mark.count
        if next >= bytes.count || !bytes[next].isLetterOrDigit && bytes[next] != UInt8(ascii: "-") {
          return start..<min(end + 1, bytes.count)
        }
      }
      start -= 1
    }
    return 0..<0
  }
}
