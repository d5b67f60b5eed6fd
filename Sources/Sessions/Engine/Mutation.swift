/// A way to break the engine on purpose. The simulation must find each.
package enum Mutation: String, CaseIterable, Sendable {
  /// The first that reads a changed cell is not computed again.
  case skipDependent
  /// An answer that nobody waits for any more counts all the same.
  case forgetGeneration
  /// What one turn changed is told with the next.
  case swapTurns
  /// Every seventh change of a cell is not noted.
  case dropNote
  /// A check that ends is still counted as pending.
  case wrongCounter
  /// A cell keeps its old value for formulas, though those that read it are computed again.
  case staleSlot
  /// An effect gets no timeout.
  case forgetTimeout
  /// A tap does not flush throttled fields.
  case skipFlush
  /// A secret's own names stand in messages and paths.
  case leakSecret
  /// A hidden field's errors count.
  case countHidden
  /// Reset leaves effects in flight.
  case keepEffects
  /// A queued run never starts.
  case loseQueued
  /// A value that replaces a larger one still counts as large.
  case miscountValues
  /// Object-level keywords of the schema are not evaluated again.
  case skipPart
  /// Formulas read an old value of what is around a field that has changed.
  case skipAround
  /// A tap does not start the checks that nobody has run.
  case skipChecks
  /// An object that is not there is judged all the same.
  case judgeAbsent
  /// What is inside of a hidden field stays shown.
  case showInside
  /// A field that is valid again still counts as invalid in what is around it.
  case miscountInside
  /// A field that is valid again still counts as invalid in its step.
  case miscountStep
  /// The fields of a hidden step stay shown.
  case showHiddenStep
  /// An action that a failed check alone does not disable is not computed again when something else is wrong.
  case skipFailureActions
  /// A reset does not tell the values that it restores.
  case forgetTold
  /// Nobody is told where the user is when the step that they were at is hidden.
  case dropStep
  /// Rows keep their positions when others come and go before them.
  case keepPositions
  /// Formulas read an old position of a row.
  case keepIndex
  /// A list whose rows have come or gone is as dirty as before.
  case keepListDirty
  /// A removed row that was not valid still counts as invalid.
  case countRemoved
  /// A removed row is found by its identity.
  case keepRemoved
  /// What a removed row held back still waits for its time.
  case keepRowTimers
  /// The checks of a removed row run on.
  case keepRowChecks
  /// Formulas of rows are not computed again when something around the rows changes.
  case skipRows
  /// Nobody is told that rows have come, gone or moved.
  case dropOrder
  /// Nobody is told of messages in rows.
  case dropRowMessage
  /// Formulas over all rows read hidden ones, too.
  case gatherHidden
  /// Formulas over all rows read old values.
  case keepColumn
  /// Rows may have equal values where they must differ.
  case missDuplicate
  /// A whole list finds its rows by their positions, although its definition names a key.
  case matchByPosition
  /// Rows that a reset finds in their places come back as new ones.
  case renewRows
  /// A row whose values become the initial ones is compared with the old ones.
  case keepRowInitial
  /// A reset leaves it to rows which of their fields the user has edited.
  case keepRowEdited
  /// A tap reveals no message of a row.
  case revealFormAlone
  /// A lookup asks no more once it has asked.
  case skipLookup
  /// A lookup that does not apply any more goes on.
  case keepLookup
  /// A reset forgets what lookups have found, and that they ask.
  case forgetLookups
  /// The date stays what it was when the session was opened.
  case keepToday
  /// A tap does not set the time.
  case keepNowAtTaps
  /// A tick does not set the time.
  case keepNowAtTicks
  /// What a client's server says of a row's field stands at the row.
  case misplaceFail
  /// What can be chosen stays what it was first.
  case keepOptions
  /// A value is judged by options that a lookup is asking for anew.
  case judgeByOldOptions
  /// Whatever the options are, any value will do.
  case offerAll
  /// A suggested field has differed from the beginning as soon as there is a suggestion.
  case dirtySuggestion
  /// What a formula gives stays when what the formula reads changes.
  case keepComputed
  /// An input does not end the following of a suggestion.
  case followOn
  /// After a reset a field does not follow its suggestion again.
  case neverFollowAgain
  /// A whole value that lacks a suggested field counts as an input that empties the field.
  case emptyLacking
  /// What a formula gives still counts as computed when an input has taken its place.
  case miscountFollowing
  /// A snapshot that is kept does not hear of a value.
  case forgetValueMark
  /// Nor that a field was edited, left or revealed.
  case forgetEditingMark
  /// Nor of the message that is shown.
  case forgetMessageMark
  /// Nor of what a throttle or debounce holds back.
  case forgetHeldMark
  /// Nor of what a server said of a field.
  case forgetServerErrorMark
  /// Nor of new rows.
  case forgetRowMark
  /// Nor of rows that are gone.
  case forgetGoneMark
  /// Nor of the order of rows.
  case forgetOrderMark
  /// Nor of taps and what they come to.
  case forgetActionMark
  /// Nor of what checks and lookups are told.
  case forgetAnswerMark
  /// Nor of what there is once in a session.
  case forgetSessionMark
  /// Nor of a reset.
  case forgetResetMark
}
