import Forms
import JSON
import Sessions
import Testing

/// Inputs of users, of autofill and of programs, and input methods that compose.
@Suite struct `Origins of inputs` {
  @Test(arguments: [(Origin.user, true), (.autofill, false), (.restore, false), (.program, false)])
  func `IME and autofill: only the user edits`(_ origin: Origin, _ shows: Bool) throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"type": "object", "properties": {"a": {"type": "string", "minLength": 3}}}, "fields": {"a": {"show": "edit"}}}
        """
    )
    form.change(["a": "x"], origin: origin)
    #expect((form.message("a") != nil) == shows)
    #expect(form.codes("a") == ["minLength"])
    #expect(form["/isDirty"] == true)
  }

  @Test func `IME and autofill: while composing the value counts and new messages wait`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"type": "object", "properties": {"a": {"type": "string", "minLength": 3}}}, "fields": {"a": {"show": "edit"}}}
        """
    )
    form.change(["a": "ㅎ"], composing: true)
    #expect(!form.isValid && form.message("a") == nil)
    form.change(["a": "한"], composing: false)
    #expect(form.message("a") != nil)
    form.change(["a": "한글이"], composing: true)
    #expect(form.isValid && form.message("a") == nil)
    form.change(["a": "한"], composing: true)
    #expect(form.message("a") == nil)
    form.blur("a")
    #expect(form.message("a") != nil)
  }
}
