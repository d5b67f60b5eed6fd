vim9script
# Keys and events of a form's buffer.

import './choice.vim'
import './fields.vim'
import './secret.vim'
import './session.vim'
import './view.vim'

# The form of the current buffer.
def Here(): dict<any>
  return session.Of(bufnr())
enddef

def ItemHere(): dict<any>
  return view.ItemAt(bufnr(), line('.'))
enddef

# Sends the typed text, and draws the changes.
export def Sync()
  var form = Here()
  if !empty(form) && view.Sync(form)
    view.Draw(form)
  endif
enddef

# Events

export def Changed()
  Sync()
  KeepInValue()
enddef

export def Moved()
  KeepInValue()
  if mode() =~ '^[iR]'
    FocusHere()
  endif
enddef

export def InsertEntered()
  var item = ItemHere()
  if get(item, 'isEditable', false)
    FocusHere()
    return
  elseif get(item, 'how', '') == 'secret'
    AskBefore('')
  endif
  stopinsert
enddef

# A character is about to be inserted. On a secret it is the first one of its input, however the cursor came there.
export def CharTyped()
  if get(ItemHere(), 'how', '') == 'secret'
    AskBefore(v:char)
    v:char = ''
    stopinsert
  endif
enddef

export def InsertLeft()
  Sync()
  if !secret.IsOpen()
    session.Focus(Here(), '')
  endif
enddef

export def Left()
  if !empty(Here())
    Sync()
    session.Focus(Here(), '')
  endif
enddef

def FocusHere()
  var item = ItemHere()
  if !empty(Here())
    session.Focus(Here(), get(item, 'isEditable', false) ? item.place : '')
  endif
enddef

# Moves the cursor out of a label.
def KeepInValue()
  if get(ItemHere(), 'isEditable', false) && mode() =~ '^[niR]'
    var head = view.HeadAt(bufnr(), line('.'))
    if col('.') <= head
      cursor(0, head + 1)
    endif
  endif
enddef

# Keys of Normal mode

# The keys to press instead of a key that changes text, so that it changes a value and not a label.
export def Key(key: string): string
  var keys = ValueKeys(key)
  # Vim takes a form that was just drawn for a message, and would wait for a second before it begins to insert. A key
  # that does nothing ends the wait.
  return v:count == 0 && index(['A', 'C', 'R', 'a', 'i', 's'], keys) >= 0 ? "\<Ignore>" .. keys : keys
enddef

def ValueKeys(key: string): string
  var item = ItemHere()
  if !get(item, 'isEditable', false)
    return OtherKey(item, key)
  endif
  var head = view.HeadAt(bufnr(), line('.'))
  var isEmpty = len(getline('.')) <= head
  var start = $'{strdisplaywidth(strpart(getline("."), 0, head)) + 1}|'
  if index(['0', '^', "\<Home>"], key) >= 0
    return isEmpty ? '$' : start
  elseif key == 'I'
    return isEmpty ? 'A' : start .. 'i'
  elseif index(['i', 'a', 's', 'C', 'R'], key) >= 0
    return isEmpty ? 'A' : key
  elseif key == 'cc' || key == 'S'
    return isEmpty ? 'A' : start .. 'C'
  elseif key == 'dd' && (item.how != 'text' || line('.') == view.LineOf(bufnr(), item.id))
    return isEmpty ? '' : start .. 'D'
  elseif key == 'o' || key == 'O'
    if item.how == 'text'
      return key == 'O' && line('.') == view.LineOf(bufnr(), item.id) ? ValueKeys('I')
        : key .. repeat(' ', strdisplaywidth(strpart(getline('.'), 0, head)))
    endif
    return item.row != '' ? $"\<Cmd>FormRow {key == 'o' ? 'below' : 'above'}\<CR>" : ValueKeys('A')
  elseif index(['x', 'X', 'D', 'r', '~'], key) >= 0 && isEmpty
    return ''
  elseif key == 'J' || key == 'gJ'
    return item.how == 'text' ? key : ''
  endif
  return key
enddef

# The effect of a key on a line without editable text.
def OtherKey(item: dict<any>, key: string): string
  if index(['0', '^', "\<Home>"], key) >= 0
    return key
  elseif key == 'dd' && get(item, 'kind', '') == 'row'
    return "\<Cmd>FormRow remove\<CR>"
  elseif index(['dd', 'x', 'D'], key) >= 0 && get(item, 'kind', '') == 'field'
    return "\<Cmd>call formd#input#Clear()\<CR>"
  elseif (key == 'o' || key == 'O') && get(item, 'row', '') != ''
    return $"\<Cmd>FormRow {key == 'o' ? 'below' : 'above'}\<CR>"
  elseif index(['i', 'a', 'I', 'A', 's', 'S', 'C', 'cc', 'o', 'O'], key) >= 0
    return "\<Cmd>call formd#input#Activate()\<CR>"
  endif
  return ''
enddef

# Enter and Space: edit, toggle, choose, press.
export def Activate()
  var form = Here()
  var item = ItemHere()
  if empty(form) || empty(item)
    return
  elseif item.kind == 'button'
    execute 'FormTap' item.place
  elseif item.kind == 'step'
    session.ShowStep(form, item.place)
  elseif item.kind == 'add'
    session.Insert(form, item.place, '')
  elseif item.kind == 'field'
    Edit(form, item)
  endif
enddef

# Asks for the secret at the cursor, before these keys and all keys that are typed already.
def AskBefore(keys: string)
  feedkeys("\<Cmd>call formd#input#Ask()\<CR>" .. keys, 'in')
enddef

# Insert mode came to a secret: asks for it. The keys that follow are not keys of Normal mode.
export def Ask()
  var item = ItemHere()
  if get(item, 'how', '') == 'secret'
    Edit(Here(), item, true)
  endif
enddef

# `isInsert`: whether the user comes from Insert mode, which goes on behind a secret.
def Edit(form: dict<any>, item: dict<any>, isInsert = false)
  if item.kind != 'field'
    return
  elseif !item.isEnabled && session.Settle(form)
    # The last input may have enabled it.
    view.Draw(form)
    Edit(form, ItemHere(), isInsert)
    return
  endif
  var label = fields.Label(item.field)
  if !item.isEnabled
    echo $'formd: {label} ' .. (item.how == 'computed' ? 'is computed' : 'takes no input now')
    return
  endif
  cursor(0, view.HeadAt(bufnr(), line('.')) + 1)
  if item.isEditable
    startinsert!
  elseif item.how == 'boolean'
    var value = get(form.values, item.place, false)
    session.Change(form, item.place, type(value) == v:t_bool ? !value : true, {commit: true})
    view.Draw(form)
  elseif item.how == 'secret'
    secret.Ask(form, item, label, (key) => {
      view.Draw(form)
      if key == "\<Tab>" || key == "\<S-Tab>"
        Step(key == "\<Tab>" ? 1 : -1, isInsert)
      endif
    })
  else
    choice.Ask(form, item, label, () => {
      view.Draw(form)
    })
  endif
enddef

# Removes the value of the field at the cursor.
export def Clear()
  var form = Here()
  var item = ItemHere()
  if item.isEnabled
    session.Change(form, item.place, null, {isSecret: item.how == 'secret', commit: true})
    view.Draw(form)
  endif
enddef

# Goes to the next item that takes input, or back. Insert mode stays on if the item takes typed text.
export def Step(by: number, isInsert = mode() =~ '^[iR]')
  Sync()
  var buffer = bufnr()
  # The last input may have enabled the field that comes next.
  if view.Items(buffer)->indexof((_, item) => item.kind == 'field' && !item.isEnabled) >= 0 && session.Settle(Here())
    view.Draw(Here())
  endif
  var lines = view.Items(buffer)->copy()->filter((_, item) => item.kind != 'fixed' && item.kind != 'row'
      && (item.kind != 'field' || item.isEnabled))->map((_, item) => view.LineOf(buffer, item.id))
  if empty(lines)
    return
  endif
  var here = view.LineOf(buffer, get(ItemHere(), 'id', ''))
  var at = by > 0 ? indexof(lines, (_, number) => number > max([here, line('.')]))
    : len(lines) - 1 - indexof(reverse(copy(lines)), (_, number) => number < (here == 0 ? line('.') : here))
  GoTo(at < 0 || at >= len(lines) ? (by > 0 ? lines[0] : lines[-1]) : lines[at], isInsert)
enddef

# Puts the cursor behind the value on a line. A secret is asked for at once in Insert mode, which has no text for it.
export def GoTo(line: number, isInsert = mode() =~ '^[iR]')
  cursor(line, 1)
  var item = ItemHere()
  var head = view.HeadAt(bufnr(), line)
  if get(item, 'isEditable', false)
    cursor(line, isInsert ? len(getline(line)) + 1 : head + 1)
    if isInsert && mode() == 'n'
      # Before all keys that are typed already; `startinsert` would begin behind the next one.
      feedkeys("\<Ignore>A", 'in')
    endif
  else
    var column = matchend(getline(line), '^\s*') + 1
    # Insert mode ends one column further left.
    var isEnding = mode() =~ '^[iR]'
    cursor(line, (get(item, 'kind', '') == 'field' ? head + 1 : column) + (isEnding ? 1 : 0))
    if isEnding
      stopinsert
    endif
    if isInsert && get(item, 'how', '') == 'secret'
      AskBefore('')
    endif
  endif
enddef

# Keys of Insert mode. Text that was typed before them is not sent yet, so Sync() comes first.

# Erasing ends where the value begins.
export def Erase(key: string)
  Sync()
  var number = line('.')
  var head = view.HeadAt(bufnr(), number)
  if col('.') > head + 1 && key ==# "\<C-u>"
    # Vim erases the label, too, if the input has begun on another line.
    setline(number, strpart(getline(number), 0, head) .. strpart(getline(number), col('.') - 1))
    cursor(number, head + 1)
    Sync()
  elseif col('.') > head + 1
    feedkeys(key, 'in')
  elseif get(ItemHere(), 'how', '') == 'text' && number > view.LineOf(bufnr(), ItemHere().id)
    # Joins the line with the line above it.
    var above = getline(number - 1)
    setline(number - 1, above .. strpart(getline(number), head))
    deletebufline(bufnr(), number)
    cursor(number - 1, len(above) + 1)
    Sync()
  endif
enddef

# Enter: another line of a text, else the next field.
export def Enter()
  Sync()
  if get(ItemHere(), 'how', '') != 'text'
    Step(1)
    return
  endif
  var number = line('.')
  var text = getline(number)
  var cells = strdisplaywidth(strpart(text, 0, view.HeadAt(bufnr(), number)))
  setline(number, strpart(text, 0, col('.') - 1))
  append(number, repeat(' ', cells) .. strpart(text, col('.') - 1))
  cursor(number + 1, cells + 1)
  Sync()
enddef
