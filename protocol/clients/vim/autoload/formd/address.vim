vim9script
# Addresses of fields: a name, or a JSON Pointer in which `#7` is a row and `*` each row.

# A cache of Tokens(), because each drawing asks for the same addresses.
var known: dict<list<string>>
const known_max = 10000

# The names and rows that an address goes through.
export def Tokens(address: string): list<string>
  if !has_key(known, address)
    if len(known) >= known_max
      known = {}
    endif
    known[address] = address !~ '^/' ? [address] : split(address[1 :], '/', true)
      ->map((_, token) => token->substitute('\~1', '/', 'g')->substitute('\~0', '\~', 'g'))
  endif
  return copy(known[address])
enddef

# The address of these names and rows, in its short form.
export def Join(tokens: list<string>): string
  if len(tokens) == 1 && tokens[0] !~ '^/'
    return tokens[0]
  endif
  return tokens->mapnew((_, token) => '/' .. token->substitute('\~', '~0', 'g')->substitute('/', '~1', 'g'))->join('')
enddef

# The address of a name or row inside of an address.
export def Inside(address: string, token: string): string
  return Join(Tokens(address) + [token])
enddef

# Whether a place is at an address or inside of it.
export def IsWithin(place: string, address: string): bool
  if place ==# address
    return true
  endif
  var pointer = address =~ '^/' ? address : '/' .. address
  var inner = place =~ '^/' ? place : '/' .. place
  return stridx(inner, pointer .. '/') == 0 || inner ==# pointer
enddef

# Whether a part of an address is a row, by its identity.
export def IsRow(token: string): bool
  return token[0] == '#' && token =~ '^#\d\+$'
enddef

# The address with `*` for each row, as form/describe writes it.
export def Template(address: string): string
  return Join(Tokens(address)->map((_, token) => IsRow(token) ? '*' : token))
enddef
