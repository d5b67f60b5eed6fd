vim9script
# The drawn signs, and their replacements if 'encoding' has no such characters.

const signs = {choice: ['▾', 'v'], secret: ['•', '*'], done: ['✓', 'ok'], next: ['›', '>'], back: ['‹', '<']}
const wheels = {utf: ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'], ascii: ['|', '/', '-', '\']}

export def Get(name: string): string
  return signs[name][&encoding == 'utf-8' ? 0 : 1]
enddef

# The current sign for work in progress.
export def Spinner(tick: number): string
  var wheel = wheels[&encoding == 'utf-8' ? 'utf' : 'ascii']
  return wheel[tick % len(wheel)]
enddef
