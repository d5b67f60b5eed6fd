vim9script
# JSON: exact texts of values, merge patches, and numbers as people type them.

# A value that is sent exactly as it was written, such as a definition, whose members have an order. It is a function,
# because no other value is a function.
export def Raw(text: string): func(): string
  # A line is one message, because strings contain no line breaks.
  var line = substitute(text, '[\r\n]\+', ' ', 'g')
  return () => line
enddef

# The text of a value. json_encode() writes six digits of a number with a fraction, which is not enough for 99999999.99.
export def Encode(value: any): string
  var kind = type(value)
  if kind == v:t_func
    return call(value, [])
  elseif kind == v:t_float
    return FloatText(value)
  elseif kind == v:t_dict
    var members: list<string>
    for [name, member] in items(value)
      add(members, json_encode(name) .. ':' .. Encode(member))
    endfor
    return '{' .. join(members, ',') .. '}'
  elseif kind == v:t_list
    return '[' .. mapnew(value, (_, element) => Encode(element))->join(',') .. ']'
  endif
  return json_encode(value)
enddef

# The shortest text that reads back as the same number.
export def FloatText(value: float): string
  if value != 0.0 && (abs(value) >= 1.0e15 || abs(value) < 1.0e-6)
    for digits in range(17)
      var text = printf('%.' .. digits .. 'e', value)
      if str2float(text) == value
        return text
      endif
    endfor
  endif
  for digits in range(1, 23)
    var text = printf('%.' .. digits .. 'f', value)
    if str2float(text) == value
      return text
    endif
  endfor
  return printf('%.16e', value)
enddef

# Whether two values are equal in JSON: 1 and "1" are not, 1 and 1.0 are.
export def IsSame(one: any, other: any): bool
  if type(one) != type(other) && !(IsNumber(one) && IsNumber(other))
    return false
  endif
  return one ==# other
enddef

# The number of a JSON text; v:none for another text. json_decode() accepts `12.`, too.
export def ParseNumber(text: string): any
  return text =~ '^-\=\%(0\|[1-9]\d*\)\%(\.\d\+\)\=\%([eE][-+]\=\d\+\)\=$' ? Parse(text) : v:none
enddef

export def IsNumber(value: any): bool
  return type(value) == v:t_number || type(value) == v:t_float
enddef

# The value that a text means: a number, a truth value or a structure; v:none if the text is not JSON, or if Vim cannot
# hold the value.
export def Parse(text: string): any
  var value: any
  try
    value = json_decode(text)
  catch
    return v:none
  endtry
  # Vim's numbers have 64 bits. It reads larger numbers as the largest one.
  if type(value) == v:t_number && string(value) !=# trim(text)
    return v:none
  elseif type(value) == v:t_float && (isinf(value) != 0 || isnan(value))
    return v:none
  endif
  return value
enddef

# The target with the merge patch applied (RFC 7396, section 2). If the target is an object, it is changed itself.
export def Merge(target: any, patch: any): any
  if type(patch) != v:t_dict
    return patch
  endif
  var merged: dict<any> = type(target) == v:t_dict ? target : {}
  for [name, value] in items(patch)
    if type(value) == v:t_none
      if has_key(merged, name)
        remove(merged, name)
      endif
    else
      merged[name] = Merge(get(merged, name, v:none), value)
    endif
  endfor
  return merged
enddef
