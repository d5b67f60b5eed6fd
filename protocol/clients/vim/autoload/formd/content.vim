vim9script
# The values of a session, by address, and their texts.

import './address.vim'
import './document.vim'
import './fields.vim'
import './json.vim'

# The values of a form's fields, each at its own address. `tree` is as session/open and session/get answer it.
export def Flatten(description: any, state: any, tree: any): any
  var found: dict<any>
  for field in description.fields
    if has_key(tree, field.name)
      Collect(field, address.Join([field.name]), tree[field.name], state, found)
    endif
  endfor
  return found
enddef

# The values at one place and inside of it.
export def FlattenAt(field: any, place: string, value: any, state: any): any
  var found: dict<any>
  Collect(field, place, value, state, found)
  return found
enddef

def Collect(field: any, place: string, value: any, state: any, found: any)
  var kind = fields.Kind(field)
  if kind == 'object' && type(value) == v:t_dict
    for member in field.fields
      if has_key(value, member.name)
        Collect(member, address.Inside(place, member.name), value[member.name], state, found)
      endif
    endfor
  elseif kind == 'rows' && type(value) == v:t_list
    var order = document.Order(state, place)
    for at in range(min([len(order), len(value)]))
      Collect(field.items, address.Inside(place, '#' .. order[at]), value[at], state, found)
    endfor
  elseif type(value) != v:t_none && kind != 'secret'
    found[place] = value
  endif
enddef

# The places whose message is an error of a server, in the order of the form.
export def RefusedByServer(description: any, state: any): list<string>
  var found: list<string>
  for field in description.fields
    CollectRefused(field, address.Join([field.name]), state, found)
  endfor
  return found
enddef

def CollectRefused(field: any, place: string, state: any, found: list<string>)
  var kind = fields.Kind(field)
  if kind == 'object'
    for member in field.fields
      CollectRefused(member, address.Inside(place, member.name), state, found)
    endfor
  elseif kind == 'rows'
    for row in document.Order(state, place)
      CollectRefused(field.items, address.Inside(place, '#' .. row), state, found)
    endfor
  endif
  var message = get(state.messages, place, v:none)
  if indexof(document.State(state, place).errors, (_, error) => error.code == 'server' && get(error, 'message', '') == message) >= 0
    add(found, place)
  endif
enddef

# The value at a place as a whole, without computed values; v:none for none. `values` and `secrets` are by address.
export def Whole(field: any, place: string, state: any, values: any, secrets: any): any
  if get(field, 'computed', false)
    return v:none
  endif
  var kind = fields.Kind(field)
  if kind == 'secret'
    return get(secrets, place, v:none)
  elseif kind == 'object'
    var whole: dict<any>
    for member in field.fields
      var value = Whole(member, address.Inside(place, member.name), state, values, secrets)
      if type(value) != v:t_none
        whole[member.name] = value
      endif
    endfor
    return empty(whole) ? get(values, place, v:none) : whole
  elseif kind == 'rows'
    var whole: list<any>
    for row in document.Order(state, place)
      var value = Whole(field.items, address.Inside(place, '#' .. row), state, values, secrets)
      add(whole, type(value) != v:t_none ? value : fields.Kind(field.items) == 'object' ? {} : null)
    endfor
    return whole
  endif
  return get(values, place, v:none)
enddef

# The value that a typed text means. A text that cannot be read stays a text, and the form reports what is wrong with
# it.
export def FromText(field: any, text: string): any
  if field.type == 'string' || has_key(field, 'read') && trim(text) != ''
    return text
  elseif trim(text) == ''
    return null
  elseif field.type == 'integer' || field.type == 'number'
    var number = json.ParseNumber(trim(text))
    return json.IsNumber(number) ? number : text
  endif
  var value = json.Parse(text)
  return type(value) == v:t_none && trim(text) != 'null' ? text : value
enddef

# The text of a value.
export def Text(value: any): string
  if type(value) == v:t_string
    return value
  elseif type(value) == v:t_none
    return ''
  elseif type(value) == v:t_float
    return value == round(value) && abs(value) < 1.0e15 ? printf('%.0f', value) : json.FloatText(value)
  endif
  return json.Encode(value)
enddef

# The text in the input of a field: what was typed, or the text that the document has of a field that reads texts, or
# the text of the value.
export def InputText(form: any, place: string): string
  return get(form.texts, place,
    get(document.State(form.document, place), 'text', Text(get(form.values, place, v:none))))
enddef

# The text of a result for people. A point in time is in the time zone of Vim.
export def Shown(value: any): string
  if type(value) == v:t_string
    var parts = matchlist(value,
      '^\(\d\{4}\)-\(\d\d\)-\(\d\d\)[Tt]\(\d\d\):\(\d\d\):\(\d\d\)\%(\.\d\+\)\=\%([Zz]\|\([-+]\)\(\d\d\):\(\d\d\)\)$')
    if !empty(parts)
      return Moment(mapnew(parts[1 : 6], (_, part) => str2nr(part)), parts[7 : 9])
    endif
  elseif type(value) == v:t_dict
    return keys(value)->sort()->mapnew((_, name) => $'{name}: {Shown(value[name])}')->join(', ')
  elseif type(value) == v:t_list
    return mapnew(value, (_, element) => Shown(element))->join(', ')
  endif
  return Text(value)
enddef

def Moment(parts: list<number>, offset: list<string>): string
  var [year, month, day, hour, minute, second] = parts
  # The days since 1970, of a year that begins in March.
  var march = month <= 2 ? year - 1 : year
  var days = 365 * march + march / 4 - march / 100 + march / 400 + (153 * ((month + 9) % 12) + 2) / 5 + day - 719469
  var seconds = 86400 * days + 3600 * hour + 60 * minute + second
  if offset[0] != ''
    seconds -= (offset[0] == '-' ? -1 : 1) * (3600 * str2nr(offset[1]) + 60 * str2nr(offset[2]))
  endif
  return strftime('%Y-%m-%d %H:%M:%S %Z', seconds)
enddef

# The label of a choice.
export def Name(options: any, value: any): string
  for option in options
    if json.IsSame(option.value, value)
      return get(option, 'label', type(option.value) == v:t_none ? '(nothing)' : Text(option.value))
    endif
  endfor
  return Text(value)
enddef
