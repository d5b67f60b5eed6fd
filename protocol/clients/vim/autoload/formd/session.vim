vim9script
# A form that is being filled in: the typed values, and the daemon's state of the session. The connection may be lost
# and restored.
#
# A form is a dictionary with these members:
#   buffer       the number of its buffer
#   source       {form} or {definition}, as session/open takes it
#   name         what it is called in messages
#   state        opening (nothing is known yet), open, reopening (a new session gets the typed values), lost, failed,
#                closed
#   notice       what is wrong with the connection or the form; empty for nothing
#   session, revision   as the daemon counts
#   description  the answer of form/describe
#   document     the session's document
#   values       what stands in the fields, by address, secrets left out
#   texts        what was typed where it is not just the text of the value, by address (`12.` for a number)
#   secrets      what was typed into secrets, by address; in no other place
#   given        the addresses that the user gave a value, as keys
#   outstanding  inputs without an answer yet: {id, method, places}
#   late         the addresses that the user changed while there was no session, as keys
#   focus        the address that is being edited; empty for none
#   keep, key    how long the daemon keeps the session without clients, and the key that opens it; empty if it does not
#   seq          the number of the last event
#   attempts     how often the session was attached again since the last update

import './address.vim'
import './connection.vim'
import './content.vim'
import './document.vim'
import './drafts.vim'
import './faults.vim'
import './fields.vim'
import './json.vim'

# The forms, by buffer.
var forms: dict<dict<any>>

# The functions of a view.
#   sync(form)               what stands in the buffer is about to be needed
#   changed(form)            there is something else to draw
#   renamed(form, Rename)    rows have other identities: Rename() returns the new address for an old one; '' for none
#   happened(form, event)    an event of the session
#   inserted(form, row)      the row at that address was added by the user
#   refused(form, message, error)   the daemon refused an input; the error is empty if the daemon has not said so
#   broken(form, error)      the session could not be opened
var view: dict<func>

export def Attach(handlers: dict<func>)
  view = handlers
  connection.Listen({opened: Opened, lost: Lost, pushed: Pushed})
enddef

# The form of a buffer; an empty dictionary if it has none.
export def Of(buffer: number): dict<any>
  return get(forms, buffer, {})
enddef

# The forms.
export def All(): list<dict<any>>
  return values(forms)
enddef

export def IsAny(): bool
  return !empty(forms)
enddef

# Begins to fill in a form in a buffer. With a `key`, the buffer shows the kept session of that key.
export def Begin(buffer: number, source: dict<any>, name: string, keep: string, key: string): dict<any>
  End(buffer)
  var form = {buffer: buffer, source: source, name: name, state: 'opening', notice: '', session: 0, revision: 0,
    description: {}, document: {}, values: {}, texts: {}, secrets: {}, given: {}, outstanding: [], late: {}, focus: '',
    keep: keep, key: key, seq: 0, attempts: 0}
  forms[buffer] = form
  if connection.IsOpen()
    Open(form)
  else
    connection.Connect()
  endif
  return form
enddef

# The buffer that shows the session of a key; 0 for none.
export def BufferOf(key: string): number
  for form in values(forms)
    if form.key ==# key
      return form.buffer
    endif
  endfor
  return 0
enddef

# Whether the daemon keeps the form's input when Vim ends.
export def IsDraft(form: dict<any>): bool
  return form.key != '' && !get(form, 'isSubmitted', false) && (!empty(form.given) || get(form.document, 'isDirty', false))
enddef

# The buffer was unloaded, or shows another form. Its session is closed, unless it is a draft; and the connection with
# the last session.
export def End(buffer: number)
  if !has_key(forms, buffer)
    return
  endif
  var form = remove(forms, buffer)
  if form.session > 0 && connection.IsOpen()
    connection.Request(IsDraft(form) ? 'session/detach' : 'session/close', {session: form.session}, Ignore)
    if form.key != '' && !IsDraft(form)
      drafts.Forget(form.key)
    endif
  endif
  form.state = 'closed'
  if empty(forms)
    connection.Close()
  endif
enddef

def Ignore(_: any, _: any)
enddef

# Inputs

# The user gave a field a value; null removes it. `text` is the typed text, if it differs from the text of the value.
export def Change(form: dict<any>, place: string, value: any, options: dict<any> = {})
  form.given[place] = true
  form.isSubmitted = false
  if options->get('isSecret', false)
    Put(form.secrets, place, value)
  else
    Put(form.values, place, value)
  endif
  Put(form.texts, place, get(options, 'text', null))
  if form.state != 'open'
    form.late[place] = true
    return
  endif
  var params: dict<any> = {field: place, value: value}
  if get(options, 'commit', false)
    params.commit = true
  endif
  Input(form, 'field/change', params, [place])
enddef

def Put(by_address: dict<any>, place: string, value: any)
  if type(value) == v:t_none
    if has_key(by_address, place)
      remove(by_address, place)
    endif
  else
    by_address[place] = value
  endif
enddef

# Editing begins at a field, and ends at the previous field; '' for none.
export def Focus(form: dict<any>, place: string)
  if form.focus ==# place
    return
  endif
  if form.focus != ''
    Input(form, 'field/blur', {field: form.focus}, [])
  endif
  form.focus = place
  if place != ''
    Input(form, 'field/focus', {field: place}, [])
  endif
enddef

# Waits for the answers to the inputs that were sent, for a second at most. Returns whether there were any, and whether
# all answers arrived.
export def Settle(form: dict<any>): bool
  if empty(form.outstanding)
    return false
  endif
  var begin = reltime()
  while form.state == 'open' && !empty(form.outstanding) && reltimefloat(reltime(begin)) < 1.0
    sleep 10m
  endwhile
  return empty(form.outstanding)
enddef

# Adds a row to a list: before the row with this identity, or after the last row for ''.
export def Insert(form: dict<any>, list: string, before: string)
  form.given[list] = true
  var params: dict<any> = {field: list}
  if before != ''
    params.at = '#' .. before
  endif
  Input(form, 'field/insert', params, [], (result) => {
    # The row begins with the schema's defaults, which the update does not contain.
    Refresh(form, () => {
      view.inserted(form, address.Inside(list, '#' .. result.row))
    })
  })
enddef

export def Remove(form: dict<any>, row: string)
  form.given[address.Join(address.Tokens(row)[: -2])] = true
  Input(form, 'field/remove', {field: row}, [], (_) => {
    for by_address in [form.values, form.texts, form.secrets, form.given]
      filter(by_address, (place, _) => !address.IsWithin(place, row))
    endfor
  })
enddef

# Moves a row to a position of its list, from 0.
export def Move(form: dict<any>, row: string, to: number)
  form.given[address.Join(address.Tokens(row)[: -2])] = true
  Input(form, 'field/move', {field: row, to: to}, [])
enddef

export def ShowStep(form: dict<any>, step: string)
  Focus(form, '')
  Input(form, 'step/show', {step: step}, [])
enddef

export def Tap(form: dict<any>, action: string)
  Focus(form, '')
  Input(form, 'action/tap', {action: action}, [])
enddef

export def Reset(form: dict<any>)
  form.given = {}
  form.texts = {}
  form.secrets = {}
  Input(form, 'session/reset', {}, [])
enddef

export def Undo(form: dict<any>)
  form.texts = {}
  Input(form, 'session/undo', {}, [])
enddef

export def Redo(form: dict<any>)
  form.texts = {}
  Input(form, 'session/redo', {}, [])
enddef

# Sends an input. Without a session it is not sent: the next session gets all typed values together.
def Input(form: dict<any>, method: string, params: dict<any>, places: list<string>, Done: func = null_function)
  if form.state != 'open'
    if index(['field/change', 'field/focus', 'field/blur'], method) < 0
      view.refused(form, 'this needs the daemon: ' .. (form.notice == '' ? 'the form is being opened' : form.notice), {})
    endif
    return
  endif
  var entry = {method: method, places: places}
  add(form.outstanding, entry)
  connection.Request(method, extendnew(params, {session: form.session}), (result, error) => {
    var at = indexof(form.outstanding, (_, other) => other is entry)
    if at >= 0
      remove(form.outstanding, at)
    endif
    if error == null
      if Done != null_function
        Done(result)
      endif
    elseif form.state == 'open' && !IsOfRowThatWent(error)
      view.refused(form, faults.Explain(error), error)
    elseif error.code == 0 && method == 'action/tap'
      view.refused(form, $'"{params.action}" may have been executed: the connection was lost before the answer', {})
    endif
  })
enddef

# A late input for a removed row is refused, and the user needs no message about it.
def IsOfRowThatWent(error: dict<any>): bool
  return error.code == 1004 && has_key(get(error, 'data', {}), 'reason')
enddef

# The session

def Open(form: dict<any>)
  form.notice = ''
  form.outstanding = []
  var isFirst = empty(form.description)
  form.state = isFirst ? 'opening' : 'reopening'
  if form.key != ''
    AttachTo(form, isFirst)
    return
  endif
  var params = copy(form.source)
  var locale = Locale()
  if locale != ''
    params.locale = locale
  endif
  if form.keep != ''
    params.keep = form.keep
  endif
  connection.Request('session/open', params, (opened, error) => {
    if error != null
      OpeningFailed(form, error)
      return
    endif
    form.session = opened.session
    form.revision = opened.revision
    form.key = get(opened, 'key', '')
    # The current document. Until the new session has all typed values, the document of the old session is drawn.
    form.fresh = opened.document
    connection.Request('form/describe', {session: opened.session}, (description, fault) => {
      if fault != null
        OpeningFailed(form, fault)
      elseif isFirst
        form.description = description
        form.values = content.Flatten(description, form.fresh, opened.values)
        NoteDraft(form)
        Ready(form)
      else
        NoteDraft(form)
        Restore(form, description)
      endif
    })
  })
enddef

def NoteDraft(form: dict<any>)
  if form.key != ''
    var name = get(form.description, 'form', form.name)
    drafts.Note(form.key, name, get(form.description, 'title', name), form.keep)
  endif
enddef

# Attaches to the kept session of the form's key. It has the input, the messages and the step.
def AttachTo(form: dict<any>, isFirst: bool)
  connection.Request('session/attach', {key: form.key, seq: form.seq}, (attached, error) => {
    if error != null && error.code == 1001
      drafts.Forget(form.key)
      if isFirst
        OpeningFailed(form, {code: 1001, message: 'there is no such draft: it has expired, was sent, or was lost with its daemon'})
      else
        # The daemon has lost the session: another session gets the typed values.
        form.key = ''
        form.seq = 0
        Open(form)
      endif
      return
    elseif error != null && !isFirst && index([1010, 1011], error.code) >= 0
      AttachAgain(form, connection.RetryAfter(error))
      return
    elseif error != null
      OpeningFailed(form, error)
      return
    endif
    form.session = attached.session
    form.revision = attached.revision
    form.fresh = attached.document
    connection.Request('form/describe', {session: attached.session}, (description, fault) => {
      if fault != null
        OpeningFailed(form, fault)
      else
        Attached(form, description, attached)
      endif
    })
  })
enddef

# Attaches again, after a pause if that was tried before. `wait`: the milliseconds that the daemon asks for.
def AttachAgain(form: dict<any>, wait: number)
  var pause = form.attempts > 0 ? connection.Pause(form.attempts - 1) : 0
  form.attempts += 1
  form.session = 0
  form.state = 'lost'
  timer_start(max([pause, wait]), (_) => {
    # Another connection attaches by itself.
    if form.state == 'lost' && connection.IsOpen()
      Open(form)
    endif
  })
enddef

# The form has its session again, and gets what the user typed in the meantime.
def Attached(form: dict<any>, description: dict<any>, attached: dict<any>)
  var isFirst = empty(form.description)
  if !isFirst
    view.sync(form)
  endif
  form.description = description
  if !has_key(form.source, 'definition')
    form.source = {form: description.form}
    form.name = description.form
  endif
  var told = content.Flatten(description, form.fresh, attached.values)
  for place in uniq(sort(keys(told) + keys(form.values)))
    if !has_key(form.late, place)
      Tell(form, place, get(told, place, null))
    endif
  endfor
  # A daemon that was restarted has no secrets.
  for place in keys(form.secrets)
    if document.State(form.fresh, place).isEmpty
      form.late[place] = true
    endif
  endfor
  var late = keys(form.late)->filter((_, place) => document.State(form.fresh, place).isVisible)
  NoteDraft(form)
  Ready(form)
  for place in late
    ChangeAgain(form, place)
  endfor
  for event in attached.events
    # The events before the first attach are no news.
    if !isFirst
      Heard(form, event)
    endif
    form.seq = event.seq
  endfor
enddef

# Sends a value that was typed while there was no session.
def ChangeAgain(form: dict<any>, place: string)
  var isSecret = has_key(form.secrets, place)
  var value = get(isSecret ? form.secrets : form.values, place, null)
  Change(form, place, value, {isSecret: isSecret, text: get(form.texts, place, null)})
enddef

def OpeningFailed(form: dict<any>, error: dict<any>)
  # The connection itself reports its loss.
  if error.code != 0 && form.state != 'closed'
    form.state = 'failed'
    form.notice = faults.Explain(error)
    view.changed(form)
    view.broken(form, error)
  endif
enddef

def Ready(form: dict<any>)
  form.document = remove(form, 'fresh')
  form.state = 'open'
  form.late = {}
  form.focus = ''
  view.changed(form)
enddef

# Sends the typed values to the session that replaces a lost session.
def Restore(form: dict<any>, description: dict<any>)
  view.sync(form)
  form.description = description
  var given: dict<any>
  for field in description.fields
    var place = address.Join([field.name])
    if indexof(keys(form.given), (_, changed) => address.IsWithin(changed, place)) >= 0 && !get(field, 'computed', false)
      var whole = content.Whole(field, place, form.document, form.values, form.secrets)
      given[place] = type(whole) == v:t_none ? null : whole
    endif
  endfor
  form.late = {}
  if empty(given)
    ShowAgain(form)
    return
  endif
  connection.Request('field/change', {session: form.session, values: given, origin: 'restore'}, (_, error) => {
    if error == null
      ShowAgain(form)
    elseif error.code != 0
      RestoreEach(form, given, faults.Explain(error))
    endif
  })
enddef

# The form has changed: it gets the values that it still accepts.
def RestoreEach(form: dict<any>, given: dict<any>, reason: string)
  var left = len(given)
  for [place, value] in items(given)
    connection.Request('field/change', {session: form.session, values: {[place]: value}, origin: 'restore'}, (_, error) => {
      left -= 1
      if left == 0 && (error == null || error.code != 0)
        view.refused(form, 'the form has changed, and does not accept all typed values: ' .. reason, error == null ? {} : error)
        ShowAgain(form)
      endif
    })
  endfor
enddef

# The step is the same as before. It is shown before the new session is drawn, so that the cursor stays in its field.
def ShowAgain(form: dict<any>)
  var step = get(form.document, 'step', '')
  if step == ''
    Restored(form)
    return
  endif
  connection.Request('step/show', {session: form.session, step: step}, (_, error) => {
    # Another form may not have the step.
    if error == null || error.code != 0
      Restored(form)
    endif
  })
enddef

# The new session has all typed values. Its rows have new identities.
def Restored(form: dict<any>)
  view.sync(form)
  var before = form.document
  var fresh = form.fresh
  var Rename = (place) => document.WithIdentities(fresh, document.WithPositions(before, place))
  for name in ['values', 'texts', 'secrets', 'given', 'late']
    var renamed: dict<any>
    for [place, value] in items(form[name])
      var now = Rename(place)
      if now != ''
        renamed[now] = value
      endif
    endfor
    form[name] = renamed
  endfor
  var shown = keys(get(before, 'messages', {}))->map((_, place) => Rename(place))->filter((_, place) => place != '')
  var late = keys(form.late)
  view.renamed(form, Rename)
  Ready(form)
  # Shows the same messages as before.
  for place in shown
    var value = get(form.values, place, get(form.secrets, place, null))
    if get(fields.Find(form.description, place), 'show', '') == 'edit' && has_key(form.given, place)
      # With `edit`, a message shows after the user has changed the value.
      Input(form, 'field/change', {field: place, value: null, origin: 'restore'}, [place])
      Input(form, 'field/change', {field: place, value: value, commit: true}, [place])
    else
      Input(form, 'field/blur', {field: place}, [])
    endif
  endfor
  for place in late
    ChangeAgain(form, place)
  endfor
  Refresh(form)
enddef

# Asks for the whole session.
def Refresh(form: dict<any>, Done: func = null_function)
  var session = form.session
  connection.Request('session/get', {session: session}, (result, error) => {
    if error != null || form.session != session || form.state != 'open'
      return
    endif
    view.sync(form)
    form.document = result.document
    form.revision = result.revision
    var told = content.Flatten(form.description, form.document, result.values)
    for place in uniq(sort(keys(told) + keys(form.values)))
      if !IsAhead(form, place, '')
        Tell(form, place, get(told, place, null))
      endif
    endfor
    view.changed(form)
    if Done != null_function
      Done()
    endif
  })
enddef

def Tell(form: dict<any>, place: string, value: any)
  if has_key(form.values, place) && json.IsSame(form.values[place], value)
    return
  endif
  Put(form.values, place, value)
  Put(form.texts, place, null)
enddef

# Whether the user's own value of a place has been sent but not answered. An update's value of the place is older then,
# unless the next unanswered input caused the update (protocol/sessions.md, Order).
def IsAhead(form: dict<any>, place: string, cause: string): bool
  for at in range(len(form.outstanding))
    var entry = form.outstanding[at]
    if at == 0 && entry.method == cause
      continue
    endif
    for sent in entry.places
      if address.IsWithin(place, sent) || address.IsWithin(sent, place)
        return true
      endif
    endfor
  endfor
  return false
enddef

# What the daemon tells

def Opened()
  for form in values(forms)
    Open(form)
  endfor
enddef

def Lost(reason: string, seconds: float)
  for form in values(forms)
    form.session = 0
    for entry in form.outstanding
      for place in entry.places
        form.late[place] = true
      endfor
    endfor
    form.outstanding = []
    form.state = 'lost'
    form.notice = reason .. (seconds < 0 ? '' : printf('; trying again in %.1f s', seconds))
    view.changed(form)
  endfor
enddef

def Pushed(method: string, params: dict<any>)
  if method == 'server/draining'
    return
  endif
  for form in values(forms)
    if form.session == 0 || form.session != get(params, 'session', 0)
      continue
    elseif method == 'session/update'
      Updated(form, params)
    elseif method == 'session/desync'
      Refresh(form)
    elseif method == 'session/closed'
      Closed(form, get(params, 'reason', ''))
    endif
    return
  endfor
enddef

# The daemon has closed the session. A kept session that the daemon could not store is attached again.
def Closed(form: dict<any>, reason: string)
  if form.key != '' && index(['store', 'lost'], reason) >= 0
    AttachAgain(form, 0)
    return
  endif
  if reason == 'closed'
    form.state = 'lost'
  endif
  form.notice = 'the daemon has closed the session: ' .. reason
  view.changed(form)
enddef

def Updated(form: dict<any>, update: dict<any>)
  if has_key(form, 'fresh')
    json.Merge(form.fresh, update.patch)
    form.revision = update.revision
    return
  endif
  view.sync(form)
  if update.from != form.revision
    Refresh(form)
    return
  endif
  form.revision = update.revision
  form.attempts = 0
  json.Merge(form.document, update.patch)
  for [place, value] in items(get(update, 'values', {}))
    Told(form, place, value, update.cause)
  endfor
  for place in get(update, 'absent', [])
    Told(form, place, null, update.cause)
  endfor
  view.changed(form)
  for event in get(update, 'events', [])
    Heard(form, event)
  endfor
enddef

# An attach can return events that the form had already.
def Heard(form: dict<any>, event: dict<any>)
  if event.seq > form.seq
    form.seq = event.seq
    view.happened(form, event)
  endif
enddef

# A value at a place or inside of it was changed by the daemon.
def Told(form: dict<any>, place: string, value: any, cause: string)
  if IsAhead(form, place, cause)
    return
  endif
  var field = fields.Find(form.description, place)
  if empty(field)
    return
  endif
  var told = type(value) == v:t_none ? {} : content.FlattenAt(field, place, value, form.document)
  for known in keys(form.values)
    if address.IsWithin(known, place) && !has_key(told, known)
      Tell(form, known, null)
    endif
  endfor
  for [inner, inside] in items(told)
    Tell(form, inner, inside)
  endfor
  if type(value) == v:t_none
    filter(form.secrets, (known, _) => !address.IsWithin(known, place))
  endif
enddef

# The language of the texts: g:formd_locale, else the language of the environment; empty for the form's own language.
def Locale(): string
  for name in [get(g:, 'formd_locale', ''), $LC_ALL, $LC_MESSAGES, $LANG]
    var locale = matchstr(name, '^[^.@]*')
    if locale != ''
      return index(['C', 'POSIX'], locale) >= 0 ? '' : substitute(locale, '_', '-', 'g')
    endif
  endfor
  return ''
enddef
