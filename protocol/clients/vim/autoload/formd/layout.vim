vim9script
# The drawing of a form, as lines. It uses the session alone, and touches no buffer.
#
# The drawing is a list of items, one for each thing that the cursor can be on:
#   id      what it is, the same from drawing to drawing
#   kind    field, row, add, button, step, or fixed for what only stands there
#   place   the address that it is about; of a button the action, of a step the step that it leads to
#   field   for a field: its description
#   how     for a field: fields.Kind() of it, or computed
#   isEditable   whether its value is text of the buffer, for the user to type in
#   isEnabled    whether it takes input at all
#   row     the address of the innermost row that it is in, or ''
#   lines   what is drawn, each line with
#     text    the line
#     head    how many of its bytes stand before the value
#     props   highlights: [column, bytes, type]
#     after   virtual text behind the line: [type, text]
#     below   virtual lines: [type, text]

import './address.vim'
import './content.vim'
import './document.vim'
import './fields.vim'
import './json.vim'
import './symbols.vim'

const indent_cells = 2
const gap_cells = 2
# The values begin at one column. Labels wider than this do not move it further.
const label_cells_max = 36
const label_cells_min = 12

# The items of a form, as wide as the window. `spinner` is the sign for work in progress.
export def Items(form: any, width: number, spinner: string): any
  var drawing = {form: form, width: width, spinner: spinner, items: [], column: 0}
  drawing.column = Column(drawing)
  Title(drawing)
  if empty(form.document) || empty(form.description)
    return drawing.items
  endif
  Steps(drawing)
  var step = get(form.document, 'step', '')
  for field in form.description.fields
    Field(drawing, field, address.Join([field.name]), 0, '', step)
  endfor
  Buttons(drawing)
  return drawing.items
enddef

# The column of the values: after the longest label that is not too long.
def Column(drawing: any): number
  var cells_max = min([label_cells_max, max([label_cells_min, drawing.width * 2 / 5])])
  var cells = 0
  if !empty(drawing.form.description)
    cells = Longest(drawing.form.description.fields, 0, cells_max)
  endif
  return indent_cells + max([cells, label_cells_min]) + gap_cells
enddef

def Longest(among: any, depth: number, cells_max: number): number
  var longest = 0
  for field in among
    var kind = fields.Kind(field)
    var cells = kind == 'object' ? Longest(field.fields, depth + 1, cells_max)
      : kind == 'rows' ? Longest(get(field.items, 'fields', []), depth + 2, cells_max)
      : depth * indent_cells + strdisplaywidth(fields.Label(field) .. ' *')
    if cells <= cells_max
      longest = max([longest, cells])
    endif
  endfor
  return longest
enddef

def Line(text: string, props: list<any> = []): any
  return {text: text, head: len(text), props: props, after: [], below: []}
enddef

def Add(drawing: any, item: any)
  add(drawing.items, extendnew({kind: 'fixed', place: '', field: {}, how: '', isEditable: false, isEnabled: true, row: ''}, item))
enddef

def Blank(drawing: any, id: string)
  if !empty(drawing.items) && drawing.items[-1].lines[-1].text != ''
    Add(drawing, {id: 'blank:' .. id, lines: [Line('')]})
  endif
enddef

# The virtual lines of a text, broken at the end of the window.
def Below(drawing: any, line: any, type: string, text: string, column: number)
  var room = max([drawing.width - column - 1, 10])
  for piece in split(text, "\n")
    for part in Broken(piece, room)
      add(line.below, [type, repeat(' ', column) .. part])
    endfor
  endfor
enddef

def Broken(text: string, cells: number): list<string>
  var parts: list<string>
  var part = ''
  # A line may break after a space. A word that is too long for a line may break anywhere.
  for word in split(text, '\s\zs')
    if part != '' && strdisplaywidth(part .. trim(word)) > cells
      add(parts, trim(part, ' ', 2))
      part = ''
    endif
    for character in split(word, '\zs')
      if strdisplaywidth(part .. character) > cells && character != ' '
        add(parts, part)
        part = ''
      endif
      part ..= character
    endfor
  endfor
  return part == '' ? parts : add(parts, trim(part, ' ', 2))
enddef

def Title(drawing: any)
  var form = drawing.form
  var title = get(form.description, 'title', get(form.description, 'form', form.name))
  var line = Line(repeat(' ', indent_cells) .. title, [[indent_cells + 1, len(title), 'FormdTitle']])
  if form.notice != ''
    Below(drawing, line, 'FormdNotice', form.notice, indent_cells)
  elseif form.state == 'opening'
    add(line.after, ['FormdHelp', 'opening ' .. drawing.spinner])
  endif
  for error in get(form.document, 'errors', [])
    var type = error.severity == 'warning' ? 'FormdWarning' : 'FormdError'
    Below(drawing, line, type, get(error, 'message', error.code), indent_cells)
  endfor
  Add(drawing, {id: 'title', lines: [line]})
  Blank(drawing, 'title')
enddef

def Steps(drawing: any)
  var state = drawing.form.document
  if !has_key(state, 'steps')
    return
  endif
  var line = Line(repeat(' ', indent_cells))
  var number = 0
  for step in drawing.form.description.steps
    var known = state.steps[step.id]
    if known.isVisible
      number += 1
      var mark = !known.isTouched ? '' : known.isValid ? ' ' .. symbols.Get('done') : ' !'
      var name = number .. ' ' .. get(step, 'label', step.id) .. mark
      line.text ..= number == 1 ? '' : ' ' .. symbols.Get('next') .. ' '
      add(line.props, [len(line.text) + 1, len(name), step.id == get(state, 'step', '') ? 'FormdStepHere' : 'FormdStep'])
      line.text ..= name
    endif
  endfor
  line.head = len(line.text)
  Add(drawing, {id: 'steps', lines: [line]})
  Blank(drawing, 'steps')
enddef

# A field with all fields inside of it. `step` is the shown page; empty for a form without steps, and in rows.
def Field(drawing: any, field: any, place: string, depth: number, row: string, step: string)
  var form = drawing.form
  if step != ''
    var home = fields.Step(form.description, place)
    var isHere = home == '' ? !HasInside(form.description, place, '') : home == step
    if !isHere && !HasInside(form.description, place, step)
      return
    endif
  endif
  var state = document.State(form.document, place)
  if !state.isVisible
    return
  endif
  var kind = fields.Kind(field)
  if kind == 'object'
    if field.name != '*'
      if depth == 0
        Blank(drawing, place)
      endif
      Heading(drawing, field, place, depth, row)
    endif
    for member in field.fields
      Field(drawing, member, address.Inside(place, member.name), depth + 1, row, step)
    endfor
    if depth == 0
      Blank(drawing, 'behind:' .. place)
    endif
  elseif kind == 'rows'
    Rows(drawing, field, place, depth, row)
  else
    Value(drawing, field, place, fields.Label(field), depth, row)
  endif
enddef

# Whether a step names a field at or inside of this place; with '', any step.
def HasInside(description: any, place: string, step: string): bool
  return indexof(description.steps, (_, candidate) => (step == '' || candidate.id == step)
    && indexof(candidate.fields, (_, inside) => address.IsWithin(inside, place)) >= 0) >= 0
enddef

def Heading(drawing: any, field: any, place: string, depth: number, row: string)
  var state = document.State(drawing.form.document, place)
  var start = repeat(' ', indent_cells * (depth + 1))
  var label = fields.Label(field)
  var line = Line(start .. label, [[len(start) + 1, len(label), 'FormdHeading']])
  if state.isRequired
    line.text ..= ' *'
    add(line.props, [len(line.text), 1, 'FormdRequired'])
    line.head = len(line.text)
  endif
  Message(drawing, line, place, indent_cells * (depth + 2), label)
  Help(drawing, line, field, indent_cells * (depth + 2))
  Add(drawing, {id: 'heading:' .. place, place: place, field: field, how: fields.Kind(field), row: row, lines: [line]})
enddef

def Rows(drawing: any, field: any, place: string, depth: number, row: string)
  var form = drawing.form
  if depth == 0
    Blank(drawing, place)
  endif
  Heading(drawing, field, place, depth, row)
  var number = 0
  for identity in document.Order(form.document, place)
    var inside = address.Inside(place, '#' .. identity)
    if document.State(form.document, inside).isVisible
      number += 1
      if fields.Kind(field.items) == 'object' || fields.Kind(field.items) == 'rows'
        RowHead(drawing, field, inside, number, depth + 1)
        Field(drawing, extendnew(field.items, {label: string(number)}), inside, depth + 1, inside, '')
      else
        Value(drawing, field.items, inside, string(number), depth + 1, inside, $'{fields.Label(field)} {number}')
      endif
    endif
  endfor
  if document.State(form.document, place).isEnabled
    var label = $'[ + {fields.Label(field)} ]'
    var start = repeat(' ', indent_cells * (depth + 2))
    Add(drawing, {id: 'add:' .. place, kind: 'add', place: place, field: field, row: row,
      lines: [Line(start .. label, [[len(start) + 1, len(label), 'FormdButton']])]})
  endif
  if depth == 0
    Blank(drawing, 'behind:' .. place)
  endif
enddef

def RowHead(drawing: any, field: any, place: string, number: number, depth: number)
  var state = document.State(drawing.form.document, place)
  var start = repeat(' ', indent_cells * (depth + 1))
  var label = $'{fields.Label(field)} {number}'
  var line = Line(start .. label, [[len(start) + 1, len(label), 'FormdRow']])
  Figures(line, get(state, 'outputs', {}))
  Message(drawing, line, place, indent_cells * (depth + 2), label)
  Add(drawing, {id: 'row:' .. place, kind: 'row', place: place, field: field, row: place, lines: [line]})
enddef

# The outputs that are numbers, after a line. Other outputs are for programs: colours, truth values, lists.
def Figures(line: any, outputs: any)
  if !get(g:, 'formd_figures', true)
    return
  endif
  var figures = items(outputs)->filter((_, output) => json.IsNumber(output[1]))
  if !empty(figures)
    var text = sort(figures)->mapnew((_, output) => output[0] .. ' ' .. content.Text(output[1]))->join('   ')
    add(line.after, ['FormdOutput', text])
  endif
enddef

# The message of a place. It begins with the name of the place, because a screen reader reads each line alone.
def Message(drawing: any, line: any, place: string, column: number, name: string)
  var text = get(get(drawing.form.document, 'messages', {}), place, '')
  if text != ''
    var errors = document.State(drawing.form.document, place).errors
    var isWarning = indexof(errors, (_, error) => get(error, 'message', '') ==# text && error.severity == 'warning') >= 0
    Below(drawing, line, isWarning ? 'FormdWarning' : 'FormdError', fields.Named(name, text), column)
  endif
enddef

def Help(drawing: any, line: any, field: any, column: number)
  if get(field, 'help', '') != ''
    Below(drawing, line, 'FormdHelp', field.help, column)
  endif
enddef

# A field with a value: its label, and the value at the column of values.
# `name` names the field in its message, if that is not the label.
def Value(drawing: any, field: any, place: string, label: string, depth: number, row: string, name: string = label)
  var form = drawing.form
  var state = document.State(form.document, place)
  var how = get(field, 'computed', false) ? 'computed' : fields.Kind(field)
  var isEditable = (how == 'line' || how == 'text') && state.isEnabled
  var start = repeat(' ', indent_cells * (depth + 1))
  var head = start .. label
  var props = [[len(start) + 1, len(label), 'FormdLabel']]
  if state.isRequired
    head ..= ' *'
    add(props, [len(head), 1, 'FormdRequired'])
  endif
  head ..= repeat(' ', max([drawing.column - strdisplaywidth(head), gap_cells]))
  var [shown, type, isHint] = Shown(form, field, place, how)
  var lines: list<dict<any>>
  for text in how == 'text' ? split(shown, "\n", true) : [shown]
    # The further lines of a text stand below its first line.
    var first = empty(lines)
    var lead = first ? head : repeat(' ', drawing.column)
    var line = Line(lead .. (isHint ? '' : text), first ? props : [])
    line.head = len(lead)
    if isHint
      add(line.after, [type, text])
    elseif text != '' && type != ''
      add(line.props, [len(lead) + 1, len(text), !state.isEnabled ? 'FormdDisabled' : type])
    endif
    add(lines, line)
  endfor
  if state.isPending
    add(lines[0].after, ['FormdHelp', 'checking ' .. drawing.spinner])
  endif
  Message(drawing, lines[-1], place, drawing.column, name)
  Help(drawing, lines[-1], field, drawing.column)
  Add(drawing, {id: 'field:' .. place, kind: 'field', place: place, field: field, how: how, isEditable: isEditable,
    isEnabled: state.isEnabled && how != 'computed', row: row, lines: lines})
enddef

# The display of a value: the text, its highlight, and whether it is only a hint and not a text of the buffer.
def Shown(form: any, field: any, place: string, how: string): any
  var value = get(form.values, place, v:none)
  if how == 'line' || how == 'text'
    var text = content.InputText(form, place)
    if text == ''
      return [get(field, 'placeholder', ''), 'FormdHelp', true]
    endif
    return [how == 'text' ? text : substitute(text, '\n', ' ', 'g'), '', false]
  elseif how == 'computed'
    return [content.Text(value), 'FormdComputed', false]
  elseif how == 'secret'
    # The number of signs does not depend on the secret, so the secret's length stays hidden.
    # After an attach, only the daemon has the secret.
    var isThere = has_key(form.secrets, place) || !document.State(form.document, place).isEmpty
    return isThere ? [repeat(symbols.Get('secret'), 8), 'FormdValue', false]
      : [get(field, 'placeholder', ''), 'FormdHelp', true]
  elseif how == 'boolean'
    return [type(value) == v:t_bool ? (value ? '[x]' : '[ ]') : '[-]', 'FormdValue', false]
  endif
  var options = document.Options(form.document, how == 'choices' ? field.items : field, place)
  var names = how == 'choices' ? mapnew(type(value) == v:t_list ? value : [], (_, one) => content.Name(options, one))
    : type(value) == v:t_none ? [] : [content.Name(options, value)]
  if empty(names)
    return [get(field, 'placeholder', 'choose') .. ' ' .. symbols.Get('choice'), 'FormdHelp', false]
  endif
  return [join(names, ', ') .. ' ' .. symbols.Get('choice'), 'FormdValue', false]
enddef

def Buttons(drawing: any)
  var form = drawing.form
  var state = form.document
  Blank(drawing, 'buttons')
  var figures = Line(repeat(' ', indent_cells))
  Figures(figures, get(state, 'outputs', {}))
  if !empty(figures.after)
    Add(drawing, {id: 'figures', lines: [figures]})
    Blank(drawing, 'figures')
  endif
  var neighbours = Neighbours(form)
  var labels = form.description.actions->copy()->filter((_, action) => IsOnPage(form, action))->mapnew((_, action) =>
    get(action, 'label', action.name))
  # The action that leads to the next page checks the fields of this page. A page button would not.
  var isLedOn = indexof(form.description.actions, (_, action) => has_key(action, 'leadsTo') && IsOnPage(form, action)) >= 0
  if has_key(neighbours, 'next') && !isLedOn
    var label = PageLabel(form, neighbours.next, 'Next', labels) .. ' ' .. symbols.Get('next')
    Button(drawing, {id: 'step:next', kind: 'step', place: neighbours.next}, label, true)
  endif
  for action in form.description.actions
    if !IsOnPage(form, action)
      continue
    endif
    var known = state.actions[action.name]
    var line = Button(drawing, {id: 'button:' .. action.name, kind: 'button', place: action.name},
      get(action, 'label', action.name), known.isEnabled)
    if known.isLoading
      add(line.after, ['FormdHelp', drawing.spinner])
    endif
    var failed = has_key(known, 'error')
    if get(known, 'message', '') != ''
      Below(drawing, line, failed ? 'FormdError' : 'FormdDone', known.message, indent_cells)
    elseif failed
      Below(drawing, line, 'FormdError', content.Shown(known.error), indent_cells)
    elseif has_key(known, 'result')
      Below(drawing, line, 'FormdDone', content.Shown(known.result), indent_cells)
    endif
  endfor
  # The way back is last: <Tab> behind the last field goes on.
  if has_key(neighbours, 'back')
    var label = symbols.Get('back') .. ' ' .. PageLabel(form, neighbours.back, 'Back', labels)
    Button(drawing, {id: 'step:back', kind: 'step', place: neighbours.back}, label, true)
  endif
enddef

# Whether an action is shown on the current page. An action whose scope is a step is only on the page of that step.
export def IsOnPage(form: any, action: any): bool
  var step = get(form.document, 'step', '')
  return get(action, 'step', step) ==# step
enddef

# The text of the button to another step. The texts on a page differ.
def PageLabel(form: any, step: string, usual: string, labels: list<string>): string
  if index(labels, usual) < 0
    return usual
  endif
  var at = indexof(form.description.steps, (_, candidate) => candidate.id ==# step)
  return get(form.description.steps[at], 'label', step)
enddef

def Button(drawing: any, item: any, name: string, isEnabled: bool): any
  # A disabled button can be recognized without colours, too.
  var text = isEnabled ? $'[ {name} ]' : $'( {name} )'
  var line = Line(repeat(' ', indent_cells) .. text,
    [[indent_cells + 1, len(text), isEnabled ? 'FormdButton' : 'FormdDisabled']])
  Add(drawing, extendnew(item, {isEnabled: isEnabled, lines: [line]}))
  return line
enddef

# The steps next to the shown step: {next: id, back: id}. A member is missing if there is no such step.
export def Neighbours(form: any): dict<string>
  var state = form.document
  var visible = get(form.description, 'steps', [])->mapnew((_, step) => step.id)
    ->filter((_, id) => state.steps[id].isVisible)
  var at = index(visible, get(state, 'step', ''))
  var found: dict<string>
  if at > 0
    found.back = visible[at - 1]
  endif
  if at >= 0 && at + 1 < len(visible)
    found.next = visible[at + 1]
  endif
  return found
enddef
