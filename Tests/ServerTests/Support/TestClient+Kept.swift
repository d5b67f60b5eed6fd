import JSON
import Testing

extension TestClient {
  /// Opens a session that is kept.
  func openKept(_ params: JSON = ["form": "login", "keep": "10m"]) throws -> (key: JSON, session: JSON) {
    let opened = result("session/open", params)
    return (try #require(opened["key"]), try #require(opened["session"]))
  }
}
