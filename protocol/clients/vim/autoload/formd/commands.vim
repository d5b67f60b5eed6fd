vim9script
# Commands: opening forms, taps, rows, steps; and the messages to the user about them.

import './address.vim'
import './choice.vim'
import './connection.vim'
import './content.vim'
import './document.vim'
import './drafts.vim'
import './fields.vim'
import './input.vim'
import './json.vim'
import './layout.vim'
import './notice.vim'
import './secret.vim'
import './session.vim'
import './view.vim'

const completion_ms = 1000

# Opening

# By the name of a buffer: how long the daemon keeps its session without clients, and the key of its session.
var wanted: dict<dict<string>>

# :Form NAME [keep=DURATION]
export def Open(arguments: string, mods: string)
  var keep = matchstr(arguments, '\s\+keep=\zs\S*\ze\s*$')
  var name = substitute(arguments, '\s\+keep=\S*\s*$', '', '')
  var isFile = name =~ '/' || name =~ '\.json$'
  var path = 'formd://' .. (isFile ? fnamemodify(name, ':p') : name)
  wanted[path] = {keep: keep != '' ? keep : get(g:, 'formd_keep', ''), key: ''}
  Edit(path, mods)
enddef

def Edit(path: string, mods: string)
  var isKept = &hidden || !&modified || &bufhidden != ''
  execute mods (mods == '' && isKept ? 'edit' : 'split') fnameescape(path)
enddef

# :FormAttach [KEY]; without a key, the only draft, or the draft that the user chooses from a menu.
export def Attach(key: string, mods: string)
  if key != ''
    var known = drafts.All()->filter((_, draft) => draft.key ==# key)
    OpenDraft(empty(known) ? {key: key, form: 'draft', keep: ''} : known[0], mods)
    return
  endif
  var all = drafts.All()->filter((_, draft) => session.BufferOf(draft.key) == 0)
  if empty(all)
    notice.Warn('there is no draft here; `:Form NAME keep=1h` opens a form that is kept')
  elseif len(all) == 1
    OpenDraft(all[0], mods)
  else
    popup_menu(mapnew(all, (_, draft) => DraftName(draft)), {title: ' Which draft? ', callback: (_, at) => {
      if at > 0
        OpenDraft(all[at - 1], mods)
      endif
    }})
  endif
enddef

def DraftName(draft: dict<any>): string
  return $'{get(draft, "title", draft.form)}  ({strftime("%Y-%m-%d %H:%M", draft.at)})'
enddef

def OpenDraft(draft: dict<any>, mods: string)
  var open = session.BufferOf(draft.key)
  if open > 0
    execute mods 'buffer' open
    return
  endif
  # The key is a secret, and the name of a buffer is seen.
  var number = 1
  while bufexists($'formd://{draft.form} (draft {number})')
    number += 1
  endwhile
  var path = $'formd://{draft.form} (draft {number})'
  wanted[path] = {keep: get(draft, 'keep', ''), key: draft.key}
  Edit(path, mods)
enddef

# The keys of the drafts.
export def CompleteDrafts(lead: string, _: string, _: number): list<string>
  return drafts.All()->mapnew((_, draft) => draft.key)->filter((_, key) => stridx(key, lead) == 0)
enddef

# Fills a buffer named formd://NAME or formd:///PATH with the form.
export def Read(buffer: number, path: string)
  var name = substitute(path, '^formd://', '', '')
  var how = get(wanted, path, {keep: get(g:, 'formd_keep', ''), key: ''})
  setbufvar(buffer, '&filetype', 'formd')
  view.Prepare(buffer)
  if name !~ '^/'
    view.Draw(session.Begin(buffer, {form: name}, name, how.keep, how.key))
    return
  endif
  var [definition, fault] = Definition(name)
  if fault != ''
    notice.Warn(fault)
    CheckFile(name)
    return
  endif
  view.Draw(session.Begin(buffer, {definition: definition}, fnamemodify(name, ':t'), how.keep, how.key))
enddef

# The definition in a file, exactly as it is written, because the order of its members is the order of the fields; and
# why there is none. If a buffer has the file open, the buffer's text is used.
def Definition(path: string): list<any>
  var lines: list<string>
  if bufloaded(path)
    lines = getbufline(path, 1, '$')
  elseif filereadable(path)
    lines = readfile(path)
  else
    return [null, $'the file {path} does not exist']
  endif
  try
    var text = join(lines, "\n")
    return type(json_decode(text)) == v:t_dict ? [json.Raw(text), ''] : [null, $'{path} is not a form: a definition is an object']
  catch
    return [null, $'{path} is not JSON']
  endtry
enddef

# Lists the faults of a definition, with their places, in the quickfix list.
def CheckFile(path: string)
  var formctl = get(g:, 'formd_formctl', 'formctl')
  if !executable(formctl) || !filereadable(path)
    return
  endif
  var found: list<dict<any>>
  var Take = (_, line) => {
    var fault: any
    try
      fault = json_decode(line)
    catch
      return
    endtry
    var remedy = has_key(fault, 'remedy') ? ': ' .. fault.remedy : ''
    add(found, {filename: path, lnum: get(fault, 'line', 1), col: get(fault, 'column', 1), text: fault.message .. remedy,
      type: fault.severity == 'error' ? 'E' : 'W'})
  }
  job_start([formctl, 'check', '--json', path], {in_io: 'null', err_io: 'null', out_cb: Take, close_cb: (_) => {
    if !empty(found)
      setqflist([], ' ', {title: 'formctl check ' .. path, items: found})
      botright cwindow
    endif
  }})
enddef

# The daemon's forms, and files with definitions, whose names begin with the typed text.
export def CompleteForms(lead: string, _: string, _: number): list<string>
  if lead =~ '/'
    return getcompletion(lead, 'file')->filter((_, name) => name =~ '/$\|\.form\.json$')
  endif
  return Forms()->filter((_, name) => stridx(name, lead) == 0)
enddef

# The names of the daemon's forms. Asks the daemon, and waits a short time for the answer.
def Forms(): list<string>
  var wasOpen = connection.IsOpen()
  var names: list<string>
  var isAnswered = false
  if !wasOpen
    connection.Connect()
  endif
  var begin = reltime()
  while !connection.IsOpen() && reltimefloat(reltime(begin)) * 1000 < completion_ms
    sleep 10m
  endwhile
  connection.Request('form/list', {}, (result, error) => {
    names = error == null ? mapnew(result.forms, (_, form) => form.form) : []
    isAnswered = true
  })
  while !isAnswered && reltimefloat(reltime(begin)) * 1000 < completion_ms
    sleep 10m
  endwhile
  if !wasOpen && !session.IsAny()
    connection.Close()
  endif
  return names
enddef

# The buffer is unloaded.
export def Closed(buffer: number)
  var form = session.Of(buffer)
  if !empty(form) && session.IsDraft(form)
    notice.Say($'{form.name} is kept as a draft; :FormAttach opens it again')
  endif
  session.End(buffer)
  view.Forget(buffer)
enddef

# Commands in a form

def Here(): dict<any>
  input.Sync()
  return session.Of(bufnr())
enddef

# :FormTap; without a name, the only action of the page, or the action that the user chooses from a menu.
export def Tap(name: string)
  var form = Here()
  var actions = get(form.description, 'actions', [])->copy()->filter((_, action) => layout.IsOnPage(form, action))
  if name != ''
    session.Tap(form, name)
  elseif empty(actions)
    notice.Warn('the form has no action')
  elseif len(actions) == 1
    session.Tap(form, actions[0].name)
  else
    popup_menu(mapnew(actions, (_, action) => get(action, 'label', action.name)), {title: ' Which action? ',
      callback: (_, at) => {
        if at > 0
          session.Tap(form, actions[at - 1].name)
        endif
      }})
  endif
enddef

export def CompleteActions(lead: string, _: string, _: number): list<string>
  return get(session.Of(bufnr()).description, 'actions', [])->mapnew((_, action) => action.name)
    ->filter((_, name) => stridx(name, lead) == 0)
enddef

# :FormStep next, back, or a step's id.
export def ShowStep(to: string)
  var form = Here()
  var neighbours = layout.Neighbours(form)
  if index(['next', 'back'], to) >= 0
    if has_key(neighbours, to)
      session.ShowStep(form, neighbours[to])
    endif
  else
    session.ShowStep(form, to)
  endif
enddef

export def CompleteSteps(lead: string, _: string, _: number): list<string>
  var steps = get(session.Of(bufnr()).description, 'steps', [])->mapnew((_, step) => step.id)
  return (['next', 'back'] + steps)->filter((_, name) => stridx(name, lead) == 0)
enddef

# :FormRow below, above, remove, up, down: applies to the innermost row of the cursor.
export def Row(what: string)
  var form = Here()
  var item = view.ItemAt(bufnr(), line('.'))
  if get(item, 'kind', '') == 'add' && (what == 'below' || what == 'above')
    session.Insert(form, item.place, '')
    return
  endif
  var row = get(item, 'row', '')
  if row == ''
    notice.Warn('the cursor is not in a row')
    return
  endif
  var tokens = address.Tokens(row)
  var list = address.Join(tokens[: -2])
  var order = document.Order(form.document, list)
  var at = index(order, tokens[-1][1 :])
  if what == 'below' || what == 'above'
    session.Insert(form, list, get(order, what == 'below' ? at + 1 : at, ''))
  elseif what == 'remove'
    session.Remove(form, row)
  elseif what == 'up' && at > 0
    session.Move(form, row, at - 1)
  elseif what == 'down' && at + 1 < len(order)
    session.Move(form, row, at + 1)
  endif
enddef

export def CompleteRow(lead: string, _: string, _: number): list<string>
  return ['above', 'below', 'down', 'remove', 'up']->filter((_, name) => stridx(name, lead) == 0)
enddef

export def Reset()
  session.Reset(Here())
enddef

export def Undo()
  session.Undo(Here())
enddef

export def Redo()
  session.Redo(Here())
enddef

# K: shows the facts about the field at the cursor.
export def Explain()
  var form = Here()
  var item = view.ItemAt(bufnr(), line('.'))
  if empty(get(item, 'field', {}))
    return
  endif
  var field = item.field
  var lines = [fields.Label(field) .. '  ' .. item.place, '']
  if has_key(field, 'help')
    add(lines, field.help)
  endif
  var bounds = ['type', 'format', 'minLength', 'maxLength', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum',
    'multipleOf', 'pattern', 'minItems', 'maxItems']
  add(lines, copy(bounds)->filter((_, name) => has_key(field, name))
    ->map((_, name) => $'{name} {content.Text(field[name])}')->join(', '))
  for error in document.State(form.document, item.place).errors
    add(lines, $'{error.severity}: {get(error, "message", error.code)} [{error.code}]')
  endfor
  notice.Explain('', lines)
enddef

# g?: the keys.
export def Keys()
  notice.Explain('Keys of a form', [
    '<CR> <Space>      edit, toggle, choose, press',
    '<Tab> <S-Tab>     next field, previous field',
    'o O               add a row below, above',
    'dd                empty the field; on the heading of a row: remove the row',
    ']e [e             move the row down, up',
    ']] [[             next step, previous step',
    'K                 about the field at the cursor',
    ':w  :FormTap      send the form',
    ':help formd       more',
  ])
enddef

# What the session tells

# The forms that must be drawn, by buffer. Changes that arrive together are drawn once.
var changed: dict<dict<any>>
var drawing = 0

def Changed(form: dict<any>)
  changed[form.buffer] = form
  if drawing == 0
    drawing = timer_start(0, (_) => Draw())
  endif
enddef

# A window was shown or has another size: forms are laid out for another width.
export def Resized()
  for form in session.All()
    if view.IsOtherwiseWide(form.buffer)
      Changed(form)
    endif
  endfor
enddef

# Draws what has changed.
def Draw()
  timer_stop(drawing)
  drawing = 0
  var forms = values(changed)
  changed = {}
  for form in forms
    if form.state != 'closed'
      view.Sync(form)
      view.Draw(form)
      choice.Follow(form)
      secret.Follow(form)
      Enter(form)
    endif
  endfor
enddef

# Moves the cursor to the first field of a form or a page that was opened, or to a field on a page that was asked for.
def Enter(form: dict<any>)
  var page = get(form.document, 'step', '')
  if form.state == 'open' && (!has_key(form, 'page') || form.page !=# page)
    form.page = page
    if bufnr() == form.buffer
      cursor(1, 1)
      input.Step(1)
    endif
  endif
  if get(form, 'wanted', '') != ''
    GoToField(form, form.wanted)
  endif
enddef

def Inserted(form: dict<any>, row: string)
  Draw()
  if bufnr() != form.buffer
    return
  endif
  var items = view.Items(form.buffer)
  var at = indexof(items, (_, item) => item.kind == 'field' && item.isEnabled && address.IsWithin(item.place, row))
  if at >= 0
    input.GoTo(view.LineOf(form.buffer, items[at].id))
  endif
enddef

def Happened(form: dict<any>, event: dict<any>)
  var action = {name: event.action}
  for described in form.description.actions
    if described.name == event.action
      action = described
    endif
  endfor
  var label = get(action, 'label', action.name)
  var message = get(event, 'message', '')
  if event.kind == 'succeeded'
    if has_key(action, 'leadsTo')
      GoOn(form, action)
    else
      form.isSubmitted = true
      setbufvar(form.buffer, '&modified', false)
    endif
    # Below the button, the form shows the outcome in full.
    notice.Say(label .. ': ' .. (message != '' ? message : has_key(event, 'result') ? content.Shown(event.result) : 'done'))
  elseif event.kind == 'failed'
    var refused = content.RefusedByServer(form.description, form.document)
    notice.Warn(label .. ': ' .. (message != '' ? message : !empty(refused) ? MessageOf(form, refused[0])
      : content.Shown(get(event, 'error', 'it failed'))))
    if !empty(refused)
      GoToPageOf(form, refused[0])
    endif
  elseif event.kind == 'rejected'
    Rejected(form, label, get(event, 'blockers', []))
  elseif event.kind == 'dropped'
    echo $'formd: {label} is already running'
  endif
enddef

# The action of a page has succeeded: shows the next page, unless the user is on another page already.
def GoOn(form: dict<any>, action: dict<any>)
  var neighbours = layout.Neighbours(form)
  if get(form.document, 'step', '') ==# action.step && has_key(neighbours, 'next')
    session.ShowStep(form, neighbours.next)
  endif
enddef

# A tap was refused: shows why, and goes to the first field with an error.
def Rejected(form: dict<any>, label: string, blockers: list<any>)
  Draw()
  var items = view.Items(form.buffer)
  var wrong = mapnew(blockers, (_, blocker) => get(blocker, 'field', ''))
  var at = indexof(items, (_, item) => item.place != '' && index(wrong, item.place) >= 0)
  var place = at >= 0 ? items[at].place : get(filter(wrong, (_, field) => field != ''), 0, '')
  if place == ''
    notice.Warn($'{label}: ' .. (empty(blockers) ? 'not possible now' : blockers[0].code))
    return
  endif
  notice.Warn($'{label}: {MessageOf(form, place)}')
  GoToPageOf(form, place)
enddef

# The message of a field, with its label.
def MessageOf(form: dict<any>, place: string): string
  var first = get(get(document.State(form.document, place).errors, 0, {}), 'message', '')
  return fields.Named(fields.Label(fields.Find(form.description, place)), get(form.document.messages, place, first))
enddef

# Goes to a field, on any page.
def GoToPageOf(form: dict<any>, place: string)
  var step = fields.Step(form.description, place)
  if step != '' && step != get(form.document, 'step', '')
    form.wanted = place
    session.ShowStep(form, step)
  else
    Draw()
    GoToField(form, place)
  endif
enddef

def GoToField(form: dict<any>, place: string)
  var items = view.Items(form.buffer)
  var at = indexof(items, (_, item) => item.place == place)
  if at >= 0
    form.wanted = ''
    if bufnr() == form.buffer
      input.GoTo(view.LineOf(form.buffer, items[at].id))
    endif
  endif
enddef

def Refused(_: dict<any>, message: string, _error: dict<any>)
  notice.Warn(message)
enddef

def Broken(form: dict<any>, error: dict<any>)
  notice.Warn(form.notice)
  var path = substitute(bufname(form.buffer), '^formd://', '', '')
  if path =~ '^/' && error.code == -32602
    CheckFile(path)
  endif
enddef

session.Attach({sync: view.Sync, changed: Changed, renamed: view.Rename, happened: Happened, inserted: Inserted,
  refused: Refused, broken: Broken})
