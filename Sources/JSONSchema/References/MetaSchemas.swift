package import JSON

/// The meta-schemas of all drafts, as the standard publishes them, so that no file is needed at run time.
///
/// Source: https://json-schema.org, the documents of the specifications themselves (AFL or BSD, at choice). They are in
/// `Resources`.
package enum MetaSchemas {
  /// The document with that URI, or nil if it is none of the standard's.
  ///
  /// - Parameter uri: without a fragment; with either scheme, since people write both.
  package static func document(of uri: String) -> JSON? {
    canonicalURI(uri).flatMap { documents[$0] }
  }

  /// How the standard writes a meta-schema's URI, without a fragment; nil if it is none of the standard's.
  static func canonicalURI(_ uri: String) -> String? {
    for scheme in ["https://", "http://"] where uri.hasPrefix(scheme) {
      let path = uri.dropFirst(scheme.count)
      // Before 2019-09 the URIs were of the other scheme.
      for scheme in ["https://", "http://"] where documents[scheme + path] != nil { return scheme + path }
    }
    return nil
  }

  private static let documents: [String: JSON] = {
    var documents: [String: JSON] = [:]
    for (uri, bytes) in texts {
      guard let document = try? JSON(parsing: bytes) else { preconditionFailure("\(uri) is not JSON") }
      documents[uri] = document
    }
    return documents
  }()

  private static var texts: [(uri: String, bytes: [UInt8])] {
    typealias Texts = PackageResources
    let old = "http://json-schema.org/"
    let of2019 = "https://json-schema.org/draft/2019-09/"
    let of2020 = "https://json-schema.org/draft/2020-12/"
    return [
      (old + "draft-04/schema", Texts.draft_04_schema_json),
      (old + "draft-06/schema", Texts.draft_06_schema_json),
      (old + "draft-07/schema", Texts.draft_07_schema_json),
      (of2019 + "schema", Texts.draft_2019_09_schema_json),
      (of2019 + "meta/applicator", Texts.draft_2019_09_applicator_json),
      (of2019 + "meta/content", Texts.draft_2019_09_content_json),
      (of2019 + "meta/core", Texts.draft_2019_09_core_json),
      (of2019 + "meta/format", Texts.draft_2019_09_format_json),
      (of2019 + "meta/meta-data", Texts.draft_2019_09_meta_data_json),
      (of2019 + "meta/validation", Texts.draft_2019_09_validation_json),
      (of2020 + "schema", Texts.draft_2020_12_schema_json),
      (of2020 + "meta/applicator", Texts.draft_2020_12_applicator_json),
      (of2020 + "meta/content", Texts.draft_2020_12_content_json),
      (of2020 + "meta/core", Texts.draft_2020_12_core_json),
      (of2020 + "meta/format-annotation", Texts.draft_2020_12_format_annotation_json),
      (of2020 + "meta/format-assertion", Texts.draft_2020_12_format_assertion_json),
      (of2020 + "meta/meta-data", Texts.draft_2020_12_meta_data_json),
      (of2020 + "meta/unevaluated", Texts.draft_2020_12_unevaluated_json),
      (of2020 + "meta/validation", Texts.draft_2020_12_validation_json),
    ]
  }
}
