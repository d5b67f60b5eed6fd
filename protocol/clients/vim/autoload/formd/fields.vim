vim9script
# The descriptions of fields from form/describe: their input, and their place.

import './address.vim'

# A text with a larger maximum length than this may have several lines, even without `textarea`.
const line_characters_max = 500

# How a field is drawn and edited:
#   object   fields inside of it
#   rows     a list whose rows come, go and move
#   choices  a list of values out of those that there are
#   secret   a text that nobody sees
#   choice   one value out of those that there are
#   boolean  a check box
#   text     a text of several lines
#   line     a text, a number, or another value as JSON
export def Kind(field: any): string
  if has_key(field, 'items')
    var items = field.items
    return IsChosen(items) && !has_key(items, 'fields') && !get(items, 'isSecret', false) ? 'choices' : 'rows'
  elseif !empty(get(field, 'fields', []))
    return 'object'
  elseif get(field, 'isSecret', false)
    return 'secret'
  elseif IsChosen(field)
    return 'choice'
  elseif field.type == 'boolean'
    return 'boolean'
  elseif field.type == 'string' && IsLong(field)
    return 'text'
  endif
  return 'line'
enddef

def IsChosen(field: any): bool
  return get(field, 'hasLiveOptions', false) || !empty(get(field, 'options', []))
enddef

def IsLong(field: any): bool
  if index(['textarea', 'multiline'], get(field, 'widget', '')) >= 0
    return true
  endif
  return get(field, 'maxLength', 0) > line_characters_max && !has_key(field, 'format') && !has_key(field, 'pattern')
enddef

# The label of a field.
export def Label(field: any): string
  return get(field, 'label', field.name)
enddef

# The description of the field at an address; empty if there is none.
export def Find(description: any, place: string): any
  var among = description.fields
  var found: dict<any>
  for token in address.Tokens(address.Template(place))
    if token == '*' && has_key(found, 'items')
      found = found.items
    else
      var at = indexof(among, (_, field) => field.name ==# token)
      if at < 0
        return {}
      endif
      found = among[at]
    endif
    among = get(found, 'fields', [])
  endfor
  return found
enddef

# The step that names the field, or an object or list around it; empty for a field without a step.
export def Step(description: any, place: string): string
  var step = ''
  var length = 0
  for candidate in get(description, 'steps', [])
    for field in candidate.fields
      var depth = len(address.Tokens(field))
      if depth > length && address.IsWithin(address.Template(place), field)
        [step, length] = [candidate.id, depth]
      endif
    endfor
  endfor
  return step
enddef

# A message that names its field: the label, and the message. A message that begins with the label stays as it is.
export def Named(label: string, message: string): string
  return label == '' || stridx(tolower(message), tolower(label)) == 0 ? message : $'{label}: {message}'
enddef
