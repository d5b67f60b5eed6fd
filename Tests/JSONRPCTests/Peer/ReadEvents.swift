import JSON
import JSONRPC

/// Reads bytes with a reader and writes one line per event:
///
///     request 1 sum [1,2]        notification update [3]
///     result "formd:1" 5         error "formd:1" {}
///     refused null method        the reason, or the limit, of the error that answers bad input
///     [   ]                      a batch
///     ended
enum ReadEvents {
  static let limits = RPCLimits(textBytesMax: 200, batchMax: 5)

  /// When the caller asks for events.
  enum Caller: CaseIterable {
    /// As long as there are any.
    case readsAll
    /// Reads all, and takes lines where it can.
    case takesLines
    /// Takes a line where it can, stops after each event, has the unread bytes kept, and reads on before more bytes
    /// arrive.
    case takesLinesAndStops
    /// Stops after each, has the unread bytes kept, and reads on before more bytes arrive.
    case stops
    /// Asks once for each chunk, has the unread bytes kept, and reads on when all have arrived.
    case fallsBehind
    /// Has each text parsed elsewhere, and the unread bytes kept until then.
    case offloads
  }

  /// Gives a reader the chunks and then the end of the input. The memory of each chunk is overwritten before the next
  /// comes.
  static func of(_ chunks: [[UInt8]], _ caller: Caller = .readsAll) -> [String] {
    var reader = RPCReader(limits: limits)
    var events: [String] = []
    func offload(_ text: UnsafeBufferPointer<UInt8>) {
      let offloaded = reader.offload(text)
      var none = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
      if reader.next(&none) != nil { events.append("an event before the text is parsed") }
      offloaded.parse()
      reader.takeOffloaded()
    }
    func nextOrLine(_ input: inout UnsafeBufferPointer<UInt8>) -> RPCReader.Event? {
      let before = input
      if let line = reader.nextLine(&input) { return .text(line) }
      if input.count != before.count { events.append("bytes were taken without a line") }
      return reader.next(&input)
    }
    /// Returns whether there was an event.
    func read(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
      var input = bytes
      let takesLines = caller == .takesLines || caller == .takesLinesAndStops
      while let event = takesLines ? nextOrLine(&input) : reader.next(&input) {
        if case .text(let text) = event {
          if caller == .offloads {
            offload(text)
            reader.keep(input)
            return true
          }
          reader.read(text)
        } else {
          events.append(line(event))
        }
        if caller == .stops || caller == .fallsBehind || caller == .takesLinesAndStops {
          reader.keep(input)
          return true
        }
      }
      return false
    }
    func readOn() {
      while read(UnsafeBufferPointer(start: nil, count: 0)) {}
    }
    for chunk in chunks {
      let memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: chunk.count)
      _ = memory.initialize(from: chunk)
      _ = read(UnsafeBufferPointer(memory))
      memory.update(repeating: UInt8(ascii: "#"))
      memory.deallocate()
      if caller == .stops || caller == .offloads || caller == .takesLinesAndStops { readOn() }
    }
    reader.inputEnded()
    readOn()
    return events
  }

  static func line(_ event: RPCReader.Event) -> String {
    switch event {
    case .text(let text): return "text " + String(decoding: text, as: UTF8.self)
    case .request(let request):
      let kind = request.id == nil ? "notification" : "request " + text(request.id)
      let params = request.params.map { " " + $0.value().description } ?? ""
      return "\(kind) " + String(decoding: request.method, as: UTF8.self) + params
    case .response(let id, let result, let error):
      if let result { return "result \(text(id)) \(result.value())" }
      return "error \(text(id)) \(error.map { $0.value().description } ?? "")"
    case .refused(let id, let error):
      let data = error.data
      return "refused \(text(id)) " + (data?["reason"]?.stringValue ?? data?["value"]?.description ?? "")
    case .batchBegan: return "["
    case .batchEnded: return "]"
    case .ended: return "ended"
    }
  }

  private static func text(_ id: RequestID?) -> String {
    let buffer = OutputBuffer()
    buffer.write(id)
    return buffer.text
  }
}
