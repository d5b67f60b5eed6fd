/// A way to break the engine on purpose. The simulation must find each.
package enum Mutation: String, CaseIterable, Sendable {
  /// The first node that reads a changed cell is not computed again.
  case skipDependent
  /// An answer that is not wanted any more counts in spite of that.
  case forgetGeneration
  /// The changes of one turn are sent with the next.
  case swapTurns
  /// Every seventh change of a cell is not noted.
  case dropNote
  /// A check that ends is still counted as pending.
  case wrongCounter
  /// A cell keeps its old value for formulas, although the nodes that read it are computed again.
  case staleSlot
  /// An effect gets no timeout.
  case forgetTimeout
  /// A tap does not flush throttled fields.
  case skipFlush
  /// A secret's own names appear in messages and paths.
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
  /// Formulas read an old value of the object around a field that has changed.
  case skipAround
  /// A tap does not start the checks that have never run.
  case skipChecks
  /// An absent object is judged.
  case judgeAbsent
  /// The fields inside a hidden field stay shown.
  case showInside
  /// A field that is valid again still counts as invalid in the field around it.
  case miscountInside
  /// A field that is valid again still counts as invalid in its step.
  case miscountStep
  /// The fields of a hidden step stay shown.
  case showHiddenStep
  /// An action that is not disabled by a failed check alone is not computed again when another error appears.
  case skipFailureActions
  /// A reset does not send the values that it restores.
  case forgetTold
  /// The client does not learn the new current step when the step that the user is in is hidden.
  case dropStep
  /// Rows keep their positions when rows before them come and go.
  case keepPositions
  /// Formulas read an old position of a row.
  case keepIndex
  /// A list with new or removed rows keeps its old dirty state.
  case keepListDirty
  /// A removed row that was not valid still counts as invalid.
  case countRemoved
  /// A removed row is found by its identity.
  case keepRemoved
  /// The delayed values of a removed row still wait for their time.
  case keepRowTimers
  /// The checks of a removed row run on.
  case keepRowChecks
  /// Formulas of rows are not computed again when something around the rows changes.
  case skipRows
  /// The client does not learn that rows have come, gone or moved.
  case dropOrder
  /// The client does not learn of messages in rows.
  case dropRowMessage
  /// Formulas over all rows read hidden ones, too.
  case gatherHidden
  /// Formulas over all rows read old values.
  case keepColumn
  /// Rows may have equal values although they must differ.
  case missDuplicate
  /// A whole list finds its rows by their positions, although its definition names a key.
  case matchByPosition
  /// Rows that a reset finds in their places come back as new ones.
  case renewRows
  /// A row whose values become its initial values is compared with its old initial values.
  case keepRowInitial
  /// A reset leaves it to rows which of their fields the user has edited.
  case keepRowEdited
  /// A tap reveals no message of a row.
  case revealFormAlone
  /// A lookup makes no further inquiry after its first.
  case skipLookup
  /// A lookup that does not apply any more goes on.
  case keepLookup
  /// A reset discards the values of lookups and their inquiries.
  case forgetLookups
  /// The date stays the date of the session's opening.
  case keepToday
  /// A tap does not set the time.
  case keepNowAtTaps
  /// A tick does not set the time.
  case keepNowAtTicks
  /// An error from a client's server for a row's field is put at the row.
  case misplaceFail
  /// The options of a field never change.
  case keepOptions
  /// A value is judged by the old options while a lookup asks for new ones.
  case judgeByOldOptions
  /// Any value is accepted, whatever the options are.
  case offerAll
  /// A suggested field becomes dirty as soon as there is a suggestion.
  case dirtySuggestion
  /// A formula's value stays when the cells that it reads change.
  case keepComputed
  /// An input does not end the following of a suggestion.
  case followOn
  /// After a reset a field does not follow its suggestion again.
  case neverFollowAgain
  /// A whole value that lacks a suggested field counts as an input that empties the field.
  case emptyLacking
  /// A formula's value still counts as computed when an input has replaced it.
  case miscountFollowing
  /// A kept snapshot does not get the mark of a changed value.
  case forgetValueMark
  /// The mark is missing when a field was edited, left or revealed.
  case forgetEditingMark
  /// The mark is missing when the shown message changes.
  case forgetMessageMark
  /// The mark is missing when a throttle or debounce holds back a value.
  case forgetHeldMark
  /// The mark is missing when a server gives an error to a field.
  case forgetServerErrorMark
  /// The mark is missing for new rows.
  case forgetRowMark
  /// The mark is missing for removed rows.
  case forgetGoneMark
  /// The mark is missing for the order of rows.
  case forgetOrderMark
  /// The mark is missing for taps and their results.
  case forgetActionMark
  /// The mark is missing for the answers to checks and lookups.
  case forgetAnswerMark
  /// The mark is missing for the parts that exist once in a session.
  case forgetSessionMark
  /// The mark is missing for a reset.
  case forgetResetMark
}
