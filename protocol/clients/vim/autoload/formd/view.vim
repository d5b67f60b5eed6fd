vim9script
# A form's buffer: draws the items of layout.vim, and reads the typed values from them.
#
# A label stands in the buffer before its value. The next drawing undoes any change of a label. Changes of values go to
# the session.

import './content.vim'
import './highlights.vim'
import './layout.vim'
import './session.vim'
import './symbols.vim'

# The last drawing, by buffer:
#   items   as layout.Items() gave them
#   owners  for each line the number of its item, and of the line in the item
#   lines   what the buffer's lines were then
#   props   for each line what its text properties were made from; '' for a line whose properties are to be made
#   width   the columns of the window that it was for
var drawn: dict<dict<any>>

# The position of the sign for work in progress.
var tick = 0
var turning = 0
const turn_ms = 120

# Prepares a buffer for drawing.
export def Prepare(buffer: number)
  highlights.Define()
  drawn[buffer] = {items: [], owners: [], lines: getbufline(buffer, 1, '$'), props: [], width: 0}
enddef

export def Forget(buffer: number)
  if has_key(drawn, buffer)
    remove(drawn, buffer)
  endif
enddef

# The item on a line of a buffer; empty if there is none.
export def ItemAt(buffer: number, line: number): any
  var owners = get(drawn, buffer, {owners: []}).owners
  return line >= 1 && line <= len(owners) ? drawn[buffer].items[owners[line - 1][0]] : {}
enddef

# The first line of an item; 0 if it is not drawn.
export def LineOf(buffer: number, id: string): number
  var at = indexof(drawn[buffer].owners, (_, owner) => drawn[buffer].items[owner[0]].id ==# id)
  return at + 1
enddef

# The items of a buffer, in order.
export def Items(buffer: number): any
  return drawn[buffer].items
enddef

# Rows have new identities. The drawing is the same, so the cursor stays in its field.
export def Rename(form: any, NewAddress: func)
  for item in drawn[form.buffer].items
    if item.place =~ '#'
      item.place = NewAddress(item.place)
      item.id = matchstr(item.id, '^[^:]*:') .. item.place
    endif
  endfor
enddef

# The number of bytes before the value of a line.
export def HeadAt(buffer: number, line: number): number
  var owners = drawn[buffer].owners
  if line < 1 || line > len(owners)
    return 0
  endif
  var [item, inside] = owners[line - 1]
  return drawn[buffer].items[item].lines[inside].head
enddef

# Draws the form again. Only changed lines are touched, and the cursor stays at its place in its field.
export def Draw(form: any)
  var buffer = form.buffer
  if !bufloaded(buffer) || !has_key(drawn, buffer)
    return
  endif
  var width = Width(buffer)
  var items = layout.Items(form, width, symbols.Spinner(tick))
  var lines: list<string>
  var owners: list<list<number>>
  var props: list<string>
  for at in range(len(items))
    for inside in range(len(items[at].lines))
      add(lines, items[at].lines[inside].text)
      add(owners, [at, inside])
      add(props, string(items[at].lines[inside]))
    endfor
  endfor
  var last = drawn[buffer]
  var cursors = Cursors(buffer, last)
  var isSameShape = len(lines) == len(last.owners)
    && mapnew(items, (_, item) => item.id) == mapnew(last.items, (_, item) => item.id)
  var known = Replace(buffer, lines, last, isSameShape)
  drawn[buffer] = {items: items, owners: owners, lines: lines, props: props, width: width}
  for at in range(len(lines))
    if known[at] !=# props[at]
      Decorate(buffer, at + 1, items[owners[at][0]].lines[owners[at][1]])
    endif
  endfor
  for [window, id, inside, column] in cursors
    var line = LineOf(buffer, id)
    if line > 0
      SetCursor(window, line + inside, column)
    endif
  endfor
  # The daemon keeps a draft when Vim ends.
  var isDirty = get(form.document, 'isDirty', false) || !empty(form.given)
  setbufvar(buffer, '&modified', isDirty && !get(form, 'isSubmitted', false) && !(form.key != '' && form.state == 'open'))
  Turn(form)
enddef

# Puts the lines into the buffer, and returns the known properties of each line.
def Replace(buffer: number, lines: list<string>, last: any, isSameShape: bool): list<string>
  var old = getbufline(buffer, 1, '$')
  var head = 0
  var shorter = min([len(old), len(lines)])
  while head < shorter && old[head] ==# lines[head]
    head += 1
  endwhile
  var tail = 0
  while tail < shorter - head && old[len(old) - 1 - tail] ==# lines[len(lines) - 1 - tail]
    tail += 1
  endwhile
  # Lines that stay as they were drawn keep their properties.
  var before = len(old) == len(last.props) ? last.props : repeat([''], len(old))
  var known = before[: head - 1]
  if head == 0
    known = []
  endif
  known += repeat([''], len(lines) - head - tail)
  if tail > 0
    known += before[len(old) - tail :]
  endif
  if head == len(old) && head == len(lines)
    return known
  endif
  var levels = getbufvar(buffer, '&undolevels')
  if isSameShape
    JoinUndo(buffer)
  else
    # The earlier text has other lines. The user can go back to it only through the form.
    setbufvar(buffer, '&undolevels', -1)
  endif
  var middle = len(lines) - head - tail
  var replaced = len(old) - head - tail
  for at in range(min([middle, replaced]))
    if old[head + at] !=# lines[head + at]
      setbufline(buffer, head + at + 1, lines[head + at])
    else
      known[head + at] = before[head + at]
    endif
  endfor
  if middle > replaced
    appendbufline(buffer, head + replaced, lines[head + replaced : head + middle - 1])
  elseif replaced > middle
    deletebufline(buffer, head + middle + 1, head + replaced)
  endif
  if !isSameShape
    setbufvar(buffer, '&undolevels', levels)
  endif
  return known
enddef

# The drawing belongs to the user's edit, so one undo reverts both.
def JoinUndo(buffer: number)
  if buffer == bufnr()
    try
      undojoin
    catch /E790/
      # After an undo, changes cannot be joined.
    endtry
  endif
enddef

def Decorate(buffer: number, number: number, line: any)
  prop_clear(number, number, {bufnr: buffer})
  for [column, length, type] in line.props
    prop_add(number, column, {length: length, type: type, bufnr: buffer})
  endfor
  for [type, text] in line.after
    prop_add(number, 0, {type: type, text: ' ' .. text, text_align: 'after', bufnr: buffer})
  endfor
  for [type, text] in line.below
    prop_add(number, 0, {type: type, text: text, text_align: 'below', bufnr: buffer})
  endfor
enddef

# Where the cursors are: [window, item, line of the item, column]. None if the user added or removed lines, because Vim
# has already put the cursor where it belongs.
def Cursors(buffer: number, last: any): any
  var cursors: list<any>
  if len(last.lines) != len(last.owners)
    return cursors
  endif
  for window in win_findbuf(buffer)
    var [_, line, column, _, _] = getcurpos(window)
    if line <= len(last.owners)
      var [at, inside] = last.owners[line - 1]
      add(cursors, [window, last.items[at].id, inside, column])
    endif
  endfor
  return cursors
enddef

def SetCursor(window: number, line: number, column: number)
  var [_, now, at, _, _] = getcurpos(window)
  if now != line || at != column
    win_execute(window, $'cursor({line}, {column})')
  endif
enddef

# Whether the window of a form has another width than the drawing.
export def IsOtherwiseWide(buffer: number): bool
  return has_key(drawn, buffer) && !empty(win_findbuf(buffer)) && drawn[buffer].width != Width(buffer)
enddef

def Width(buffer: number): number
  var windows = win_findbuf(buffer)
  if empty(windows)
    return 80
  endif
  var info = getwininfo(windows[0])[0]
  return info.width - info.textoff
enddef

# While work is in progress, the form is drawn again and again.
def Turn(form: any)
  var isTurning = form.state == 'opening' || get(form.document, 'isPending', false)
    || indexof(values(get(form.document, 'actions', {})), (_, action) => action.isLoading) >= 0
  if isTurning && turning == 0
    turning = timer_start(turn_ms, (_) => {
      turning = 0
      tick += 1
      for buffer in keys(drawn)
        var other = session.Of(str2nr(buffer))
        if !empty(other) && other.state != 'closed'
          Sync(other)
          Draw(other)
        endif
      endfor
    })
  endif
enddef

# What the user typed

# Sends the user's changes in the buffer to the session. Returns whether the form must be drawn again. A keystroke in an
# existing value needs no drawing, because it shows already.
export def Sync(form: any): bool
  var buffer = form.buffer
  if !bufloaded(buffer) || !has_key(drawn, buffer) || empty(form.document)
    return false
  endif
  var last = drawn[buffer]
  var now = getbufline(buffer, 1, '$')
  if now == last.lines
    return false
  endif
  var isDrawn = IsPlain(last, now)
  for [item, text] in Edits(last, now)
    Typed(form, item, text)
  endfor
  # The properties are made again if the text differs from the drawing.
  if isDrawn
    # The label's properties are before the typed text.
  elseif len(now) == len(last.lines)
    for at in range(len(now))
      if now[at] !=# last.lines[at]
        last.props[at] = ''
      endif
    endfor
  else
    last.props = []
  endif
  last.lines = now
  return !isDrawn
enddef

# Whether the lines differ only in values, and no value was added or removed.
def IsPlain(last: any, now: list<string>): bool
  if len(now) != len(last.lines)
    return false
  endif
  for at in range(len(now))
    if now[at] !=# last.lines[at]
      var [number, inside] = last.owners[at]
      var head = last.items[number].lines[inside].head
      if !last.items[number].isEditable || len(last.lines[at]) <= head || len(now[at]) <= head
          || strpart(now[at], 0, head) !=# strpart(last.lines[at], 0, head)
        return false
      endif
    endif
  endfor
  return true
enddef

# The changed texts of fields, as [item, text].
def Edits(last: any, now: list<string>): any
  var old = last.lines
  if len(now) == len(old)
    return range(len(now))->filter((_, at) => now[at] !=# old[at])->map((_, at) => EditOfLine(last, at, now))
      ->filter((_, edit) => !empty(edit))
  endif
  var shorter = min([len(old), len(now)])
  var head = 0
  while head < shorter && old[head] ==# now[head]
    head += 1
  endwhile
  var tail = 0
  while tail < shorter - head && old[len(old) - 1 - tail] ==# now[len(now) - 1 - tail]
    tail += 1
  endwhile
  var inserted = now[head : len(now) - tail - 1]
  if head >= len(now) - tail
    inserted = []
  endif
  var touched = range(head, len(old) - tail - 1)->map((_, at) => last.owners[at][0])->uniq()
  if empty(touched) && head > 0
    # Lines were added below a line. They belong to it if it may have several lines.
    touched = [last.owners[head - 1][0]]
    if last.items[touched[0]].how != 'text'
      return []
    endif
  endif
  if len(touched) == 1
    var item = last.items[touched[0]]
    return item.isEditable ? [[item, TextOf(last, touched[0], head, len(old) - tail, inserted)]] : []
  endif
  # Whole lines of several fields were deleted: these fields are emptied. Other changes are not edits of values.
  return !empty(inserted) ? [] : mapnew(touched, (_, at) => last.items[at])->filter((_, item) => item.isEditable)
    ->mapnew((_, item) => [item, ''])
enddef

# The text of an item after its lines from `head` to before `behind` were replaced.
def TextOf(last: any, at: number, head: number, behind: number, inserted: list<string>): string
  var item = last.items[at]
  var start = indexof(last.owners, (_, owner) => owner[0] == at)
  var texts: list<string>
  for inside in range(len(item.lines))
    if start + inside < head
      add(texts, strpart(last.lines[start + inside], item.lines[inside].head))
    endif
  endfor
  for line in inserted
    add(texts, WithoutHead(line, len(texts) == 0 ? item.lines[0] : {text: '', head: 0}, item))
  endfor
  for inside in range(len(item.lines))
    if start + inside >= behind
      add(texts, strpart(last.lines[start + inside], item.lines[inside].head))
    endif
  endfor
  return join(texts, item.how == 'text' ? "\n" : ' ')
enddef

# The value of a line that the user typed. The label, or spaces of its width, may be before it.
def WithoutHead(line: string, drawn_line: any, item: any): string
  var head = strpart(drawn_line.text, 0, drawn_line.head)
  if head != '' && stridx(line, head) == 0
    return strpart(line, len(head))
  endif
  var cells = strdisplaywidth(strpart(item.lines[0].text, 0, item.lines[0].head))
  return substitute(line, '^ \{,' .. cells .. '}', '', '')
enddef

# The edit of a line, if no line was added or removed; [] if it changes no value.
def EditOfLine(last: any, at: number, now: list<string>): any
  var [number, inside] = last.owners[at]
  var item = last.items[number]
  if !item.isEditable
    return []
  endif
  var texts: list<string>
  var start = at - inside
  for line in range(len(item.lines))
    add(texts, Repaired(last.lines[start + line], item.lines[line].head, now[start + line]))
  endfor
  return [item, join(texts, item.how == 'text' ? "\n" : ' ')]
enddef

# The value of a line that was `old` and is `now`. If the change reaches into the label, the inserted text counts.
def Repaired(old: string, head: number, now: string): string
  if strpart(now, 0, head) ==# strpart(old, 0, head)
    return strpart(now, head)
  endif
  var was = split(old, '\zs')
  var is = split(now, '\zs')
  var value = strchars(strpart(old, 0, head))
  var front = 0
  while front < min([len(is), value]) && is[front] ==# was[front]
    front += 1
  endwhile
  var back = 0
  while back < min([len(is), len(was)]) - front && is[len(is) - 1 - back] ==# was[len(was) - 1 - back]
    back += 1
  endwhile
  var put = join(slice(is, front, len(is) - back), '')
  return trim(put, ' ', 1) .. join(slice(was, max([value, len(was) - back])), '')
enddef

def Typed(form: any, item: any, text: string)
  if text ==# content.InputText(form, item.place)
    return
  endif
  var value = content.FromText(item.field, text)
  session.Change(form, item.place, value, {text: text, commit: mode() !~ '^[iR]'})
enddef
