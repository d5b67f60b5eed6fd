import Testing

@testable import LanguageServer

@Suite struct `Patterns of paths` {
  @Test(arguments: [
    ("*.yaml", "a.yaml"), ("*.yaml", "deep/in/a.yaml"), ("deploy/*.yaml", "deploy/a.yaml"), ("**/a.json", "x/y/a.json"),
    ("**/a.json", "a.json"), ("config/**", "config/x/y.json"), ("*.{json,yaml}", "b.yaml"), ("a?.env", "ab.env"),
    ("a/**/b/*.json", "a/x/y/b/c.json"), ("a/**/b", "a/b"), ("*", "x"), ("**", "x/y"),
  ])
  func `they mean`(_ pattern: String, _ path: String) {
    #expect(Glob(pattern).matches(path))
  }

  @Test(arguments: [
    ("*.yaml", "a.yml"), ("deploy/*.yaml", "deploy/x/a.yaml"), ("deploy/*.yaml", "a.yaml"), ("a?.env", "a.env"),
    ("config/**", "other/x"), ("", "a"), ("a/**/b", "a/c"),
  ])
  func `and do not mean`(_ pattern: String, _ path: String) {
    #expect(!Glob(pattern).matches(path))
  }

  @Test func `many stars take no time without end`() {
    #expect(!Glob(String(repeating: "*a", count: 40) + "b").matches(String(repeating: "a", count: 2000)))
    #expect(!Glob(String(repeating: "**/", count: 30) + "b").matches(String(repeating: "a/", count: 30) + "c"))
  }
}
