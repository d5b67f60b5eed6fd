vim9script
# The language server as a linter of ALE, which finds it by the files in `ale_linters`.

# The folder of the repository that has the file, else the folder of the file.
def Root(buffer: number): string
  var folder = fnamemodify(bufname(buffer), ':p:h')
  var git = finddir('.git', folder .. ';')
  return git == '' ? folder : fnamemodify(git, ':p:h:h')
enddef

# The byte at which a unit of UTF-16 begins, which is how the server counts for ALE.
def Byte(line: string, unit: number): number
  var byte = 0
  var units = 0
  for character in line
    if units >= unit
      break
    endif
    units += char2nr(character) > 0xffff ? 2 : 1
    byte += len(character)
  endfor
  return byte
enddef

# Adapts a proposal to ALE: ALE inserts the new text at the start of the word before the cursor, whatever the range of
# the edit is. So the new text loses what the line has before the word and behind the cursor.
#
# Returns false if the new text does not fit there.
def Fits(buffer: number, item: dict<any>): bool
  if !has_key(item, 'textEdit')
    return true
  endif
  var range = item.textEdit.range
  var line = getline('.')
  var cursor = col('.') - 1
  # Vim takes the word before the cursor out of the line while it asks an 'omnifunc' for proposals.
  var asked = get(b:, 'ale_completion_info', {column: cursor + 1, prefix: ''})
  var missing = asked.column - 1 - cursor
  if missing > 0
    line = strpart(line, 0, cursor) .. strpart(asked.prefix, len(asked.prefix) - missing) .. strpart(line, cursor)
    cursor += missing
  endif
  if range.start.line != line('.') - 1 || range.end.line != range.start.line
    return false
  endif
  var start = Byte(line, range.start.character)
  var end = Byte(line, range.end.character)
  var word = match(strpart(line, 0, cursor), '[a-zA-Z$_][a-zA-Z$_0-9]*$')
  var before = strpart(line, start, (word < 0 ? cursor : word) - start)
  if stridx(item.textEdit.newText, before) != 0
    return false
  endif
  var text = strpart(item.textEdit.newText, len(before))
  var behind = strpart(line, cursor, end - cursor)
  var length = behind == '' ? len(text) : stridx(text, behind)
  item.textEdit.newText = strpart(text, 0, max([length, 0]))
  return length > 0
enddef

# Defines the linter for a file type.
export def Define(type: string)
  call('ale#linter#Define', [type, {
    name: 'formd',
    lsp: 'stdio',
    executable: (_) => get(g:, 'formd_formctl', 'formctl'),
    command: '%e lsp',
    project_root: Root,
    completion_filter: Fits,
  }])
enddef
