internal import Texts

extension Library {
  /// Base64 (cel-go, `ext/README.md`, "Encoders"); decoding takes texts with and without padding.
  public static let encoders = Library(
    name: "encoders",
    functions: [
      Function(
        "base64.decode(text)",
        .texts,
        "the bytes that a base64 text encodes",
        examples: ["string(base64.decode('S2lt'))": #""Kim""#],
        overloads: [
          Overload(
            id: "base64_decode_string",
            name: "base64.decode",
            parameters: [.string],
            result: .bytes,
            cost: .linear([0]),
            resultSize: .argument(0),
            implementation: .text { text in
              Base64.decode(text).map { .bytes($0) } ?? .failure(.conversion, "not base64: \(text.excerpt)")
            }
          )
        ]
      ),
      Function(
        "base64.encode(bytes)",
        .texts,
        "bytes as a text in base64",
        examples: ["base64.encode(b'Kim')": #""S2lt""#],
        overloads: [
          Overload(
            id: "base64_encode_bytes",
            name: "base64.encode",
            parameters: [.bytes],
            result: .string,
            cost: .linear([0]),
            resultSize: .sum([0, 0]),
            implementation: .bytes { bytes in
              bytes.count / 3 * 4 + 4 <= ResultLimits.bytesMax
                ? .string(Base64.encode(bytes)) : ResultLimits.textTooLarge
            }
          )
        ]
      ),
    ]
  )
}
