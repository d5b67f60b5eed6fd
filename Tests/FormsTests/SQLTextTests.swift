import Forms
import Testing

struct SQLTextTests {
  @Test(
    arguments: [
      ("SELECT :a, :b, :a", "SELECT $1, $2, $1", ["a", "b"]),
      ("SELECT ':a', \":b\", :c", "SELECT ':a', \":b\", $1", ["c"]),
      ("SELECT 'it''s :a' || :b", "SELECT 'it''s :a' || $1", ["b"]),
      ("SELECT :a::integer, x::text", "SELECT $1::integer, x::text", ["a"]),
      ("SELECT f(a := :a)", "SELECT f(a := $1)", ["a"]),
      ("SELECT $$:a$$, $x$ $$ :b $x$, :c", "SELECT $$:a$$, $x$ $$ :b $x$, $1", ["c"]),
      ("SELECT $x$ :a", "SELECT $x$ :a", []),
      ("SELECT a$b$, :c", "SELECT a$b$, $1", ["c"]),
      (#"SELECT E'\':a', e'\\', :b"#, #"SELECT E'\':a', e'\\', $1"#, ["b"]),
      ("SELECT type'x', :b", "SELECT type'x', $1", ["b"]),
      ("SELECT 1 -- :a\n, :b", "SELECT 1 -- :a\n, $1", ["b"]),
      ("SELECT /* :a /* :b */ :c */ :d", "SELECT /* :a /* :b */ :c */ $1", ["d"]),
      ("SELECT (x)[1:2], x[:n]", "SELECT (x)[1:2], x[$1]", ["n"]),
      ("SELECT a <@ b, @x, doc ? 'k'", "SELECT a <@ b, @x, doc ? 'k'", []),
      ("SELECT :글, :é", "SELECT $1, $2", ["글", "é"]), ("SELECT :", "SELECT :", []), ("SELECT ':a", "SELECT ':a", []),
    ] as [(String, String, [String])]
  )
  func `parameters of PostgreSQL get numbers, and nothing else is taken for one`(
    query: String,
    numbered: String,
    names: [String]
  ) {
    let text = SQLText(query, in: .postgreSQL)
    #expect(text.names == names)
    #expect(text.numbered == numbered)
    #expect(!text.hasNameless)
  }

  @Test(
    arguments: [
      ("SELECT :a, @b, $c, :a", ["a", "b", "c"]), ("SELECT [:a], `:b`, ':c', \":d\", :e", ["e"]),
      ("SELECT /* /* :a */ :b", ["b"]),
      ("SELECT x::text", []), ("SELECT 1 -- :a", []), ("SELECT :1a", ["1a"]),
    ] as [(String, [String])]
  )
  func `parameters of SQLite are found by its rules`(query: String, names: [String]) {
    #expect(SQLText(query, in: .sqlite).names == names)
  }

  @Test func `parameters without a name are seen`() {
    #expect(SQLText("SELECT ?", in: .sqlite).hasNameless)
    #expect(SQLText("SELECT $1", in: .postgreSQL).hasNameless)
    #expect(!SQLText("SELECT d ? 'k', d ?| :names", in: .sqlite).hasNameless)
  }

  @Test func `words are those that nothing quotes, and the first one leads if nothing stands before it`() {
    let text = SQLText("-- x\n /* y */ with a as (select 'DELETE', \"INTO\") select 1e5, b from a", in: .postgreSQL)
    #expect(text.leadingWord == "WITH")
    #expect(text.words == ["WITH", "A", "AS", "SELECT", "SELECT", "B", "FROM", "A"])
    #expect(SQLText("(SELECT 1)", in: .sqlite).leadingWord == nil)
    #expect(SQLText("; SELECT 1", in: .sqlite).leadingWord == nil)
    #expect(SQLText("", in: .sqlite).leadingWord == nil)
  }
}
