vim9script
# Signs that are drawn, and what stands for them where 'encoding' has no such characters.

const signs = {choice: ['▾', 'v'], secret: ['•', '*'], done: ['✓', 'ok'], next: ['›', '>'], back: ['‹', '<']}
const wheels = {utf: ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'], ascii: ['|', '/', '-', '\']}

export def Get(name: string): string
  return signs[name][&encoding == 'utf-8' ? 0 : 1]
enddef

# What turns while something is under way, at that moment.
export def Spinner(tick: number): string
  var wheel = wheels[&encoding == 'utf-8' ? 'utf' : 'ascii']
  return wheel[tick % len(wheel)]
enddef
