import FormCases
import Testing

struct CaseRunnerTests {
  @Test
  func `a case passes when everything holds after each step`() throws {
    let told = try failure(
      loginForm,
      """
      {"name": "a", "given": {"email": "kim"},
       "answers": [{"http": {"service": "accounts", "method": "POST", "path": "/login", "query": {"n": "7"}, "json": {"email": "kim@x.y"}},
                    "response": {"body": {"id": 7}}}],
       "expect": {"isValid": false, "isDirty": false, "errors": {"email": ["email.shape"]},
         "messages": {"email": null}, "outputs": {"length": 3}},
       "steps": [
         {"focus": "email"},
         {"blur": "email", "expect": {"messages": {"email": "No @."}, "fields": {"email": {"isTouched": true}}}},
         {"change": "email", "value": "kim@x.y", "expect": {
           "isValid": true, "isDirty": true, "values": {"email": "kim@x.y"}, "errors": {"email": null, "": []}}},
         {"tap": "login", "expect": {"tap": {"outcome": "started"},
           "events": [{"action": "login", "kind": "succeeded", "result": {"id": 7}}],
           "requests": [{"http": {"path": "/login"}}], "actions": {"login": {"attempts": 1, "error": null}}}},
         {"fail": "email", "message": "Taken.", "expect": {
           "messages": {"email": "Taken."}, "errors": {"email": ["server"]}, "isValid": true}},
         {"setLocale": "ko"},
         {"reset": true, "expect": {"values": {"email": "kim"}, "events": []}}
       ]}
      """
    )
    #expect(told == [])
  }

  @Test func `an event that came earlier is told with its step`() throws {
    let told = try failure(
      loginForm,
      """
      {"name": "a", "given": {"email": "kim"}, "steps": [
         {"change": "email", "value": "x"}, {"tap": "login"},
         {"advance": "1s", "expect": {"events": [{"action": "login", "kind": "rejected"}]}}]}
      """
    )
    #expect(told.contains { $0.hasSuffix("events 0") } && told.contains("  such an event came in step 2"), "\(told)")
  }

  @Test(
    arguments: [
      (
        #"{"name": "a", "expect": {"isValid": true}}"#,
        ["when the session was opened", "t.test.json:2:37: isValid", "  expected  true", "  got       false"]
      ),
      (
        #"{"name": "a", "steps": [{"change": "email", "value": "x", "expect": {"errors": {"email": null}}}]}"#,
        [
          "step 1, change email", "t.test.json:2:90: errors email", "  expected  nothing",
          #"  got       ["email.shape"]"#,
        ]
      ),
      (
        #"{"name": "a", "steps": [{"change": "mail", "value": "x"}]}"#,
        ["step 1, change mail", "t.test.json:2:25: Unknown field \"mail\"; did you mean \"email\"?"]
      ),
      (
        #"{"name": "a", "expect": {"messages": {"mail": null}}}"#,
        [
          "when the session was opened", "t.test.json:2:47: messages mail",
          "  Unknown field \"mail\"; did you mean \"email\"?",
        ]
      ),
      (
        #"{"name": "a", "expect": {"actions": {"logn": {}}}}"#,
        [
          "when the session was opened", "t.test.json:2:46: actions logn",
          "  the form does not have this name; did you mean \"login\"?",
        ]
      ),
      (
        #"{"name": "a", "expect": {"outputs": {"len": 0}}}"#,
        [
          "when the session was opened", "t.test.json:2:45: outputs len",
          "  the form does not have this name; it has length",
        ]
      ),
      (
        #"{"name": "a", "expect": {"fields": {"email": {"isVisibel": null}}}}"#,
        [
          "when the session was opened", "t.test.json:2:60: fields email isVisibel",
          "  a field has no \"isVisibel\"; did you mean \"isVisible\"?",
        ]
      ),
      (
        #"{"name": "a", "expect": {"actions": {"login": {"isLoadin": null}}}}"#,
        [
          "when the session was opened", "t.test.json:2:60: actions login isLoadin",
          "  an action has no \"isLoadin\"; did you mean \"isLoading\"?",
        ]
      ),
      (
        #"{"name": "a", "steps": [{"tap": "login", "expect": {"tap": {"blocker": null}}}]}"#,
        [
          "step 1, tap login", "t.test.json:2:72: tap blocker",
          "  the answer to a tap has no \"blocker\"; did you mean \"blockers\"?",
        ]
      ),
      (
        #"{"name": "a", "steps": [{"tap": "login", "expect": {"events": [{"massage": null}]}}]}"#,
        [
          "step 1, tap login", "t.test.json:2:76: events 0 massage",
          "  an event has no \"massage\"; did you mean \"message\"?",
        ]
      ),
      (
        #"{"name": "a", "steps": [{"answer": "x"}]}"#,
        [
          "step 1, answer x",
          "t.test.json:2:25: no request waits for the held answer \"x\": none was made, or it was cancelled or timed out",
        ]
      ),
    ] as [(String, [String])]
  )
  func `what does not hold is told with the step, the place and the difference`(_ testCase: String, _ told: [String])
    throws
  {
    #expect(Array(try failure(loginForm, testCase).prefix(told.count)) == told)
  }

  @Test
  func `a name that no step and no lookup has is a slip`() throws {
    let definition = """
      {"form": "t", "schema": {"type": "object", "properties": {"a": {"type": "string", "maxLength": 9}}},
       "steps": [{"id": "one", "fields": ["a"]}],
       "lookups": {"l": {"run": {"http": {"service": "s", "path": "/l", "query": {"a": "values.a"}}}, "value": "response.body"}}}
      """
    let told = try failure(
      definition,
      #"{"name": "a", "expect": {"steps": {"one": {"isVisibel": null}}, "lookups": {"l": {"errors": null}}}}"#
    )
    #expect(told.contains(#"  a step has no "isVisibel"; did you mean "isVisible"?"#), "\(told)")
    #expect(told.contains(#"  a lookup has no "errors"; did you mean "error"?"#), "\(told)")
    #expect(
      try failure(
        definition,
        #"{"name": "a", "expect": {"steps": {"one": {"isVisible": true}}, "lookups": {"l": {"error": null, "value": null}}}}"#
      ) == []
    )
  }

  @Test
  func `the names of an answer's headers are in lower case for formulas`() throws {
    let definition = """
      {"form": "t", "schema": {"type": "object", "properties": {"a": {"type": "string", "maxLength": 9}}},
       "actions": {"go": {"run": {"http": {"service": "s", "path": "/"}}, "outcomes": [{"success": "response.headers['x-count']"}]}}}
      """
    let testCase = """
      {"name": "a", "answers": [{"http": {}, "response": {"headers": {"X-Count": "7"}}}],
       "steps": [{"tap": "go", "expect": {"events": [{"kind": "succeeded", "result": "7"}]}}]}
      """
    #expect(try failure(definition, testCase) == [])
  }

  @Test
  func `the engine says why`() throws {
    let told = try failure(
      loginForm,
      #"{"name": "a", "given": {"email": "kim"}, "expect": {"messages": {"email": "No @."}}}"#
    )
    #expect(told.contains("the engine's explanation of field email:"))
    let says = told.joined(separator: "\n")
    #expect(says.contains(#""rule": "self.contains('@')""#) && says.contains("waits for the end of the first editing"))
  }

  @Test
  func `a formula that went wrong is told with what fails`() throws {
    let told = try failure(
      """
      {"form": "t", "schema": {"type": "object", "properties": {"n": {"type": "integer", "maximum": 9}}}, "outputs": {"o": "8 / values.n"}}
      """,
      """
      {"name": "a", "steps": [{"change": "n", "value": 2, "expect": {"outputs": {"o": 4}}},
         {"change": "n", "value": 0, "expect": {"outputs": {"o": 4}}}]}
      """
    )
    #expect(
      told.first == "step 2, change n" && told.contains { $0.hasPrefix("outputs.o failed: division by zero") }
    )
  }

  @Test
  func `a request that the case does not answer fails it, with the nearest answer`() throws {
    let steps = #""given": {"email": "a@b"}, "steps": [{"tap": "login"}]"#
    let none = try failure(loginForm, #"{"name": "a", \#(steps)}"#)
    #expect(none.first == "step 1, tap login")
    #expect(
      none.joined().contains(#"the form made a request that the case does not answer: {"http":{"service":"accounts""#)
    )
    #expect(none.last?.hasSuffix("the case has no answers") == true)
    let other = try failure(
      loginForm,
      #"{"name": "a", "answers": [{"http": {"path": "/login", "query": {"n": "4"}}, "times": "any"}], \#(steps)}"#
    )
    #expect(other.last?.hasSuffix(#"the closest is answer 0: it expects "4" at /http/query/n, not "3""#) == true)
  }

  @Test
  func `an answer is for one request unless it says for how many`() throws {
    func told(_ times: String, taps: Int) throws -> String? {
      let steps = Array(repeating: #"{"tap": "login"}"#, count: taps).joined(separator: ", ")
      return try failure(
        loginForm,
        #"{"name": "a", "given": {"email": "a@b"}, "answers": [{"http": {"path": "/login"}\#(times)}], "steps": [\#(steps)]}"#
      ).last
    }
    #expect(try told("", taps: 1) == nil)
    #expect(try told("", taps: 2)?.contains("answer 0 matches, but is used up") == true)
    #expect(
      try told("", taps: 0)?.contains(#"the form made 1 request too few for this answer: {"http":{"path":"/login"}}"#)
        == true
    )
    #expect(try told(#", "times": 2"#, taps: 2) == nil)
    #expect(try told(#", "times": 3"#, taps: 1)?.contains("the form made 2 requests too few") == true)
    #expect(try told(#", "times": "any""#, taps: 0) == nil)
    #expect(try told(#", "times": "any""#, taps: 3) == nil)
  }

  @Test
  func `an answer takes its time, is held, or comes after the engine gave up`() throws {
    func told(_ answer: String, _ steps: String) throws -> [String] {
      try failure(
        loginForm,
        """
        {"name": "a", "given": {"email": "a@b"}, "answers": [{"http": {}, \(answer)}],
         "steps": [{"tap": "login", "expect": {"actions": {"login": {"isLoading": true}}}}, \(steps)]}
        """
      )
    }
    #expect(
      try told(
        #""after": "300ms""#,
        #"{"advance": "299ms", "expect": {"events": []}}, {"advance": "1ms", "expect": {"events": [{"kind": "succeeded"}]}}"#
      ) == []
    )
    #expect(
      try told(
        #""held": "h""#,
        #"{"advance": "9s", "expect": {"events": []}}, {"answer": "h", "expect": {"events": [{"kind": "succeeded"}]}}"#
      )
        == []
    )
    #expect(
      try told(
        #""after": "10s""#,
        #"{"advance": "20s", "expect": {"events": [{"kind": "failed", "error": "timeout"}]}}"#
      ) == []
    )
    #expect(
      try told(#""held": "h""#, #"{"advance": "10s"}, {"answer": "h"}"#).last?.contains(
        "no request waits for the held answer"
      ) == true
    )
  }

  @Test
  func `rows are named by position or identity`() throws {
    let told = try failure(
      rowsForm,
      """
      {"name": "a", "given": {"items": [{"n": 2}]}, "expect": {"outputs": {"/items/0/twice": 4, "total": 4}},
       "steps": [
         {"insert": "items", "value": {"n": 3}, "expect": {"errors": {"/items/1/n": ["even"], "/items/#1/n": null},
           "fields": {"/items/1/n": {"isValid": false}, "/items/0/n": {"isValid": true, "isVisible": true}, "items": {"order": ["1", "2"]}},
           "values": {"/items/1/n": 3, "/items/#1": {"n": 2}}, "outputs": {"/items/#2/twice": 6, "total": 10}}},
         {"move": "/items/1", "to": 0, "expect": {"errors": {"/items/0/n": ["even"]}}},
         {"insert": "items", "at": "#1", "values": [{"n": 4}, {"n": 6}], "expect": {"fields": {"items": {"order": ["2", "3", "4", "1"]}}}},
         {"change": {"/items/#2/n": 8}, "expect": {"isValid": true, "outputs": {"total": 40}}},
         {"remove": "/items/#1", "expect": {"outputs": {"/items/3/twice": null, "total": 36}}}
       ]}
      """
    )
    #expect(told == [])
  }

  @Test
  func `time is virtual, and the same in every run`() throws {
    let definition = """
      {"form": "t", "clock": "1m", "schema": {"type": "object", "properties": {"a": {"type": "string", "maxLength": 9}}},
       "outputs": {"day": "string(today)", "time": "string(now)"}}
      """
    #expect(
      try failure(
        definition,
        """
        {"name": "a", "now": "2026-03-01T10:59:30Z", "zone": "+13:00", "expect": {"outputs": {"day": "2026-03-01"}},
         "steps": [{"advance": "30s", "expect": {"outputs": {"day": "2026-03-02"}}}, {"advance": "2m"}]}
        """
      ) == []
    )
    #expect(
      try failure(
        definition,
        #"{"name": "a", "expect": {"outputs": {"day": "2000-01-01", "time": "2000-01-01T00:00:00Z"}}}"#
      ) == []
    )
  }

  @Test
  func `databases and providers answer, too, and a secret has no value`() throws {
    let definition = """
      {"form": "t", "schema": {"type": "object", "properties": {"sku": {"type": "string", "maxLength": 9},
         "pin": {"type": "string", "maxLength": 9, "writeOnly": true}}},
       "checks": [{"id": "known", "field": "sku", "debounce": "300ms",
         "run": {"sql": {"database": "d", "query": "SELECT :sku", "parameters": {"sku": "self"}}},
         "outcomes": [{"when": "size(response.rows) > 0", "valid": true}, {"code": "unknown", "message": "Unknown."}]}],
       "actions": {"go": {"run": {"provider": {"name": "p", "arguments": {"sku": "values.sku"}}},
         "outcomes": [{"success": "response.body"}]}}}
      """
    #expect(
      try failure(
        definition,
        """
        {"name": "a", "answers": [
           {"sql": {"database": "d", "parameters": {"sku": "A"}}, "response": {"rows": []}},
           {"sql": {"query": "SELECT :sku", "parameters": {"sku": "B"}}, "response": {"rows": [{"1": 1}]}},
           {"provider": {"name": "p", "arguments": {"sku": "B"}}, "response": {"body": 7}}],
         "steps": [
           {"change": {"sku": "A", "pin": "1234"}, "expect": {"isPending": true, "requests": [], "values": {"pin": null, "sku": "A"}}},
           {"advance": "300ms", "expect": {"requests": [{"sql": {"database": "d"}}], "errors": {"sku": ["unknown"]}, "isPending": false}},
           {"change": "sku", "value": "B"},
           {"tap": "go", "expect": {"tap": {"outcome": "held"}}},
           {"advance": "300ms", "expect": {"events": [{"kind": "succeeded", "result": 7}]}}
         ]}
        """
      ) == []
    )
  }

  @Test
  func `a case can say that a step is refused`() throws {
    func told(_ step: String) throws -> String? {
      try failure(loginForm, #"{"name": "a", "steps": [\#(step)]}"#).last
    }
    #expect(try told(#"{"tap": "logout", "expect": {"refused": 1005, "events": []}}"#) == nil)
    #expect(try told(#"{"tap": "logout", "expect": {"refused": 1004}}"#)?.contains("(code 1005)") == true)
    #expect(try told(#"{"tap": "login", "expect": {"refused": 1005}}"#)?.hasSuffix("code 1005, but was not") == true)
    #expect(try told(#"{"answer": "x", "expect": {"refused": 1005}}"#)?.hasSuffix("(without a code)") == true)
  }
}
