local Editor = require('editor')

local function start(after, options)
  local editor = Editor.start(vim.tbl_extend('force', { socket = vim.env.FORMD_SOCKET }, options or {}))
  after(function()
    editor:stop()
  end)
  return editor
end

local function equal(found, expected)
  assert(vim.deep_equal(found, expected), ('expected %s, found %s'):format(vim.inspect(expected), vim.inspect(found)))
end

it('a form is drawn with labels, required marks, buttons and outputs', function(after)
  local editor = start(after)
  editor:form('invoice', 'Customer *')
  editor:sees('[+ Items]')
  editor:sees('[ Send ]')
  editor:sees_line('total', '0')
end)

it('what is typed is sent, and the message stands below the field once it is left', function(after)
  local editor = start(after)
  editor:form('signup', 'Email *')
  editor:keys('ikim<Tab>')
  editor:sees_line('Email *', 'kim')
  editor:sees('✗ Email: That is not an email address.')
  equal(editor:values().email, 'kim')
end)

it('messages are diagnostics at the value', function(after)
  local editor = start(after)
  editor:form('signup', 'Email *')
  editor:keys('ikim<Tab>')
  editor:sees('That is not an email address.')
  local found = editor:lua([[
    local found = vim.diagnostic.get(0)[1]
    local line = vim.api.nvim_buf_get_lines(0, found.lnum, found.lnum + 1, false)[1]
    return { line:sub(found.col + 1, found.end_col), found.source, found.code, found.message, found.severity }
  ]])
  equal(found, { 'kim', 'formd', 'email.shape', 'Email: That is not an email address.', 1 })
end)

it('keys that come faster than the form is drawn are not lost', function(after)
  local editor = start(after)
  editor:form('signup', 'Email *')
  editor:burst('ikim@example.com<Esc>ccjo<Esc>alee@example.com<Esc>')
  editor:sees_line('Email *', 'jolee@example.com')
  editor:wait('the value', function()
    return editor:values().email == 'jolee@example.com'
  end)
end)

it('labels cannot be erased', function(after)
  local editor = start(after)
  editor:form('signup', 'Email *')
  editor:keys('ikim<BS><BS><BS><BS><BS><C-W><C-U>x<Esc>0D')
  editor:sees('Email *')
  editor:wait('an empty value', function()
    return editor:values().email == nil
  end)
  editor:keys('ddiok<Esc>')
  editor:sees_line('Email *', 'ok')
end)

it('lines that are no text cannot be edited', function(after)
  local editor = start(after)
  editor:form('invoice', 'Customer *')
  editor:go('[ Send ]')
  equal(editor:lua('return vim.bo.modifiable'), false)
  editor:go('Customer *')
  equal(editor:lua('return vim.bo.modifiable'), true)
end)

it('a deletion over several fields is mended', function(after)
  local editor = start(after)
  editor:form('signup', 'Email *')
  editor:keys('ikim<Esc>')
  editor:go('Email *')
  editor:keys('dG')
  editor:sees_line('Email *', 'kim')
  editor:sees('[ Sign up ]')
end)

it('an undo takes back what was typed, and tells it', function(after)
  local editor = start(after)
  editor:form('signup', 'Email *')
  editor:keys('ikim<Esc>')
  editor:sees_line('Email *', 'kim')
  editor:keys('u')
  editor:misses('kim')
  equal(editor:values().email, nil)
end)

it('a choice is made with vim.ui.select, and fields come and go with it', function(after)
  local editor = start(after)
  editor:form('payment', 'How to pay')
  assert(not editor:shown():find('Card number', 1, true))
  editor:will_choose('Card')
  editor:go('Kind *')
  editor:keys('<CR>')
  editor:sees_line('Kind *', 'Card')
  editor:sees('Card number')
  editor:will_choose('Bank account')
  editor:go('Kind *')
  editor:keys('<CR>')
  editor:sees('IBAN')
  editor:misses('Card number')
end)

it('choices that a server tells come while the form is open', function(after)
  local editor = start(after)
  editor:form('address', 'Country *')
  editor:will_choose('South Korea')
  editor:go('Country *')
  editor:keys('<CR>')
  editor:sees_line('Country *', 'South Korea')
  editor:wait('cities', function()
    editor:will_choose('Busan')
    editor:go('City *')
    editor:keys('<CR>')
    return editor:values().city ~= nil
  end)
  editor:sees_line('City *', 'Busan')
end)

it('a check box is toggled, and shows what depends on it', function(after)
  local editor = start(after)
  editor:form('signup', 'Email *')
  editor:command('FormStep newsletter')
  editor:sees_line('Send me the newsletter', '[ ]')
  editor:go('Send me the newsletter')
  editor:keys('<Space>')
  editor:sees_line('Send me the newsletter', '[x]')
  editor:sees('How often')
end)

it('rows are added, moved and removed, and keep their values', function(after)
  local editor = start(after)
  editor:form('invoice', 'Customer *')
  editor:go('[+ Items]')
  editor:keys('<CR>')
  editor:stands_at('Article *')
  editor:sees_line('Quantity *', '1')
  editor:keys('ifirst<Esc>ga')
  editor:sees('2 rows')
  editor:stands_at('Article *')
  editor:keys('isecond<Esc>')
  editor:sees_line('Article *', 'second')
  editor:keys('[e')
  editor:wait('the move', function()
    local items = editor:values().items
    return items[1].sku == 'second' and items[2].sku == 'first'
  end)
  editor:wait('the rows as they stand', function()
    local shown = editor:shown()
    return shown:find('second', 1, true) < shown:find('first', 1, true)
  end)
  editor:go('first')
  editor:keys('gx')
  editor:sees('1 row')
  editor:misses('first')
end)

it('rows have rows', function(after)
  local editor = start(after)
  local path = vim.fn.tempname() .. '.form.json'
  vim.fn.writefile(
    vim.split(
      [[{ "form": "orders", "schema": { "type": "object", "properties": { "orders": { "type": "array", "maxItems": 9, "items": {
          "type": "object", "properties": { "name": { "type": "string", "maxLength": 9 }, "lines": { "type": "array", "maxItems": 9,
            "items": { "type": "object", "properties": { "text": { "type": "string", "maxLength": 9 } } } } } } } } },
        "fields": { "orders": { "label": "Orders" }, "/orders/*/lines": { "label": "Lines" } } }]],
      '\n'
    ),
    path
  )
  editor:form(path, '[+ Orders]')
  editor:go('[+ Orders]')
  editor:keys('<CR>')
  editor:stands_at('name')
  editor:keys('ione<Esc>')
  editor:go('[+ Lines]')
  editor:keys('<CR>')
  editor:stands_at('text')
  editor:keys('iinner<Esc>')
  editor:wait('the values', function()
    local orders = editor:values().orders
    return orders and vim.deep_equal(orders, { { name = 'one', lines = { { text = 'inner' } } } })
  end)
  editor:go('inner')
  editor:keys('gx')
  editor:misses('inner')
  editor:sees_line('name', 'one')
end)

it('a number that is none is told so, and computed outputs follow', function(after)
  local editor = start(after)
  editor:form('invoice', 'Customer *')
  editor:go('[+ Items]')
  editor:keys('<CR>')
  editor:sees_line('Quantity *', '1')
  editor:go('Quantity *')
  editor:keys('ccmany<Tab><Esc>')
  editor:sees('✗ ')
  editor:go('Quantity *')
  editor:keys('cc3<Tab>2.50<Esc>')
  editor:sees_line('net', '7.5')
  editor:sees_line('total', '7.5')
  equal(editor:values().items[1].quantity, 3)
  assert(editor:text():find('2.50', 1, true), 'what was typed stays as it was typed')
end)

it('steps are pages', function(after)
  local editor = start(after)
  editor:form('signup', 'Email *')
  assert(not editor:shown():find('Country', 1, true))
  editor:keys(']]')
  editor:sees('Country *')
  editor:misses('Email *')
  editor:keys('[[')
  editor:sees('Email *')
end)

it('a refused tap leads to the first place that needs a look, on whatever page', function(after)
  local editor = start(after)
  editor:form('signup', 'Email *')
  editor:command('FormStep newsletter')
  editor:sees('Send me the newsletter')
  editor:command('FormSubmit signUp')
  editor:hears('Sign up was refused: Email: This is required. (')
  editor:sees('✗ Email: This is required.')
  editor:wait('the cursor at the email', function()
    return editor:lua("return vim.api.nvim_get_current_line():find('Email *', 1, true)") ~= vim.NIL
  end)
end)

it('a tap that succeeds says so without covering a field, and K shows its result', function(after)
  local editor = start(after)
  editor:form('login', 'Email *')
  editor:keys('ikim@example.com<Tab>')
  editor:keys('hunter2<Esc>')
  editor:command('FormSubmit')
  editor:hears('formd: Log in: Kim님 환영합니다.')
  editor:sees_line('[ Log in ]', 'Kim님 환영합니다.')
  assert(editor:float() == vim.NIL)
  editor:keys('K')
  editor:wait('a float', function()
    return editor:float() ~= vim.NIL
  end)
  local float = editor:float()
  assert(float:find('✓', 1, true) and float:find('name: Kim', 1, true), float)
end)

it('a secret is in no text, register, undo or message', function(after)
  local editor = start(after)
  editor:form('login', 'Email *')
  editor:keys('ikim@example.com<Tab>hunter2x<BS><Esc>')
  editor:sees('•••••••')
  editor:lua([[vim.api.nvim_paste('pasted', true, -1)]])
  local traces = editor:lua([[
    local traces = { table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n'), vim.inspect(vim.fn.undotree()), table.concat(told) }
    for register in ('abcdefghijklmnopqrstuvwxyz0123456789"-.:/='):gmatch('.') do
      table.insert(traces, vim.fn.getreg(register))
    end
    table.insert(traces, vim.fn.execute('messages'))
    return table.concat(traces, '\n')
  ]])
  for _, word in ipairs({ 'hunter', 'unter2', 'pasted' }) do
    assert(not traces:find(word, 1, true), traces)
  end
end)

it('a secret that is put leaves the buffer and its history', function(after)
  local editor = start(after)
  editor:form('login', 'Password *')
  editor:lua([[vim.fn.setreg('a', 'hunter2')]])
  editor:go('Password *')
  editor:keys('"ap')
  editor:sees('•••••••')
  assert(not editor:text():find('hunter', 1, true))
  editor:keys('u')
  assert(not editor:text():find('hunter', 1, true))
  editor:go('Email *')
  editor:keys('ikim@example.com<Esc>')
  editor:command('FormSubmit')
  editor:hears('Kim님 환영합니다.')
end)

it('dd and cc take a secret away', function(after)
  local editor = start(after)
  editor:form('login', 'Password *')
  editor:go('Password *')
  editor:keys('ihunter2<Esc>')
  editor:sees('•••••••')
  editor:keys('dd')
  editor:misses('•')
  editor:keys('iabc<Esc>')
  editor:sees_line('Password *', '•••')
  editor:keys('ccz<Esc>')
  editor:misses('••')
  editor:sees_line('Password *', '•')
end)

it('a secret is not typed into a recording', function(after)
  local editor = start(after)
  editor:form('login', 'Password *')
  editor:go('Password *')
  editor:keys('qai')
  editor:hears('stop recording')
end)

it('a suggested value is shown, computed ones are read-only, and the cursor stays', function(after)
  local editor = start(after)
  editor:form('booking', 'Name of the stay')
  editor:keys('iSeoul in May')
  editor:sees_line('Web address', 'seoul-in-may')
  editor:keys('!<Esc>')
  equal(editor:values().title, 'Seoul in May!')
  editor:go('Nights')
  equal(editor:lua('return vim.bo.modifiable'), false)
  editor:go('Arrival')
  editor:keys('i2031-05-01<Tab>2031-05-04<Esc>')
  editor:sees_line('Nights', '3')
end)

it('a check shows that it runs, and then what it found', function(after)
  local editor = start(after)
  editor:form('signup', 'Email *')
  -- Spinners that were drawn are counted, as one may be gone before anybody looks.
  editor:lua([[
    _G.spinners = 0
    local decoration = require('formd.decoration')
    local is_busy = decoration.is_busy
    decoration.is_busy = function(session, line)
      local busy = is_busy(session, line)
      spinners = spinners + (busy and line.address == 'email' and 1 or 0)
      return busy
    end
  ]])
  editor:keys('ikim@example.com<Tab>')
  editor:sees('✗ ')
  assert(editor:lua('return spinners') > 0, 'no spinner was drawn')
  assert(editor:lua([[return require('formd.view').of(0).session:state_of('email').errors[1].code]]) == 'email.taken')
end)

it('a text of several lines is edited in place', function(after)
  local editor = start(after)
  local path = vim.fn.tempname() .. '.form.json'
  vim.fn.writefile(vim.split([[{ "form": "note", "schema": { "type": "object", "properties": {
        "text": { "type": "string", "maxLength": 400 }, "name": { "type": "string", "maxLength": 40 } } },
      "fields": { "text": { "label": "Text", "widget": "textarea" }, "name": { "label": "Name" } } }]], '\n'), path)
  editor:form(path, 'Text')
  editor:keys('ione<CR>two<CR>three<Esc>')
  editor:wait('three lines', function()
    return editor:values().text == 'one\ntwo\nthree'
  end)
  editor:go('two')
  editor:keys('dd')
  editor:wait('two lines', function()
    return editor:values().text == 'one\nthree'
  end)
  editor:go('one')
  editor:keys('obetween<Esc>')
  editor:wait('three lines again', function()
    return editor:values().text == 'one\nbetween\nthree'
  end)
  editor:go('between')
  editor:keys('kJ')
  editor:wait('a join', function()
    return editor:values().text == 'one between\nthree'
  end)
  editor:go('Name')
  editor:keys('iKim<Esc>')
  editor:sees_line('Name', 'Kim')
end)

it('several choices are put in and out', function(after)
  local editor = start(after)
  local path = vim.fn.tempname() .. '.form.json'
  vim.fn.writefile(vim.split([[{ "form": "pizza", "schema": { "type": "object", "properties": { "toppings": { "type": "array", "uniqueItems": true, "maxItems": 3,
        "items": { "enum": ["olives", "onions", "corn"] } } } }, "fields": { "toppings": { "label": "Toppings" } } }]], '\n'), path)
  editor:form(path, 'Toppings')
  editor:will_choose('olives', 'corn', 'Done')
  editor:keys('<CR>')
  editor:sees_line('Toppings', 'olives, corn')
  editor:wait('the values', function()
    return vim.deep_equal(editor:values().toppings, { 'olives', 'corn' })
  end)
  editor:will_choose('olives', 'Done')
  editor:keys('<CR>')
  editor:misses('olives')
  editor:sees_line('Toppings', 'corn')
end)

it('Korean texts and labels', function(after)
  local editor = start(after, { settings = { locale = 'ko' } })
  editor:form('signup', '이메일 *')
  editor:keys('i김<Tab>')
  editor:sees_line('이메일 *', '김')
  editor:sees('✗ 이메일 형식이 아닙니다.')
  editor:command('FormLocale en')
  editor:sees_line('Email *', '김')
  editor:sees('✗ Email: That is not an email address.')
end)

it('a narrow window has labels above their values', function(after)
  local editor = start(after, { columns = 30 })
  editor:form('signup', 'Email *')
  editor:keys('ikim<Tab>')
  editor:wait('a line with the value alone', function()
    return vim.tbl_contains(editor:lua('return shown()'), '    kim')
  end)
end)

it('messages stand at the end of the line where the settings say so', function(after)
  local editor = start(after, { settings = { messages = 'eol' } })
  editor:form('signup', 'Email *')
  editor:keys('ikim<Tab>')
  editor:wait('virtual text of a diagnostic', function()
    return editor:lua([[
      local namespace = vim.diagnostic.get_namespaces()[vim.api.nvim_get_namespaces().formd]
      local drawn = namespace.user_data.virt_text_ns
      return drawn ~= nil and #vim.api.nvim_buf_get_extmarks(0, drawn, 0, -1, {}) > 0
    ]])
  end)
  assert(not editor:shown():find('✗', 1, true), editor:shown())
end)

it('a reset takes back what was typed', function(after)
  local editor = start(after)
  editor:form('signup', 'Email *')
  editor:keys('ikim<Esc>')
  editor:sees_line('Email *', 'kim')
  editor:command('FormReset')
  editor:misses('kim')
end)

it('an edit is taken back and repeated', function(after)
  local editor = start(after)
  editor:form('expenses', 'First day *')
  editor:keys('i4/5/2026<Esc>')
  editor:sees_line('First day *', '4/5/2026')
  editor:command('FormUndo')
  editor:misses('4/5/2026')
  editor:command('FormRedo')
  editor:sees_line('First day *', '4/5/2026')
end)

it('a wrong name is told with the closest', function(after)
  local editor = start(after)
  editor:command('Form invoic')
  editor:hears('there is no form "invoic"; did you mean "invoice"?')
end)

it('the names of forms are completed', function(after)
  local editor = start(after)
  equal(editor:lua([[return vim.fn.getcompletion('Form inv', 'cmdline')]]), { 'invoice' })
end)

it('a broken definition has its places in the quickfix list', function(after)
  local editor = start(after, { settings = { formctl = vim.env.FORMCTL_BIN } })
  local path = vim.fn.tempname() .. '.form.json'
  vim.fn.writefile({
    '{ "form": "x", "schema": { "type": "object", "properties": { "a": { "type": "string", "maxLength": 3 } } },',
    '  "rules": [ { "id": "q", "field": "a", "check": "valuse.a == \'\'" } ] }',
  }, path)
  editor:command('Form ' .. path)
  editor:hears(':copen lists their places')
  local item = editor:lua('return vim.fn.getqflist()[1]')
  equal(item.lnum, 2)
  assert(item.text:find('values', 1, true), item.text)
end)

it('a form in a file follows when the file is written, and keeps what was typed', function(after)
  local editor = start(after)
  local path = vim.fn.tempname() .. '.form.json'
  local text = [[{ "form": "n", "schema": { "type": "object", "properties": { "a": { "type": "string", "maxLength": 9 } } },
    "fields": { "a": { "label": "First" } } }]]
  vim.fn.writefile(vim.split(text, '\n'), path)
  editor:form(path, 'First')
  editor:keys('ikim<Esc>')
  editor:sees_line('First', 'kim')
  editor:command('split ' .. path)
  editor:command('%s/First/Second/')
  editor:command('write')
  editor:command('close')
  editor:sees_line('Second', 'kim')
end)

it('a program is told what became of a tap', function(after)
  local editor = start(after)
  editor:lua([[
    local definition = '{ "form": "n", "schema": { "type": "object", "properties": { "a": { "type": "string", "maxLength": 9 } } },'
      .. '"actions": { "go": { "outcomes": [ { "success": "values.a" } ] } } }'
    require('formd').open({ definition = definition, values = { a = 'kim' } }, {
      on_event = function(event) _G.event = event end,
    })
  ]])
  editor:sees('[ go ]')
  editor:command('write')
  editor:wait('the event', function()
    return vim.deep_equal(editor:lua('return event and { event.kind, event.result }'), { 'succeeded', 'kim' })
  end)
end)

it('disabled choices are not offered unless they are the value, other texts are typed, rows have titles', function(after)
  local editor = start(after)
  local path = vim.fn.tempname() .. '.form.json'
  vim.fn.writefile(vim.split([[{ "form": "parcel", "schema": { "type": "object", "properties": {
        "way": { "enum": ["air", "ship", "post"], "default": "post" }, "colour": { "type": "string", "maxLength": 9 },
        "extras": { "type": "array", "maxItems": 3, "default": ["cool"], "items": { "enum": ["gift", "cool", "fast"] } },
        "lines": { "type": "array", "maxItems": 3, "default": [{ "sku": "A1" }], "items": { "type": "object", "properties": { "sku": { "type": "string", "maxLength": 9 } } } } } },
      "outputs": { "/lines/*/title": "'Article ' + row.sku" },
      "fields": { "way": { "label": "Way", "options": [{ "value": "air", "disabled": true }, { "value": "post", "disabled": true }] },
        "colour": { "label": "Colour", "options": [{ "value": "red" }], "other": true },
        "extras": { "label": "Extras" },
        "/extras/*": { "options": [{ "value": "cool", "disabled": true }, { "value": "fast", "disabled": true }] } } }]], '\n'), path)
  editor:form(path, 'Way')
  editor:sees('1  Article A1')
  editor:misses('title')
  editor:will_choose('ship')
  editor:go('Way')
  editor:keys('<CR>')
  editor:sees_line('Way', 'ship')
  editor:offered('  ship', '● post', '  (none)')
  editor:will_choose('Other…')
  editor:will_type('pink')
  editor:go('Colour')
  editor:keys('<CR>')
  editor:sees_line('Colour', 'pink')
  editor:will_choose('gift', 'cool', 'Done')
  editor:go('Extras')
  editor:keys('<CR>')
  editor:sees_line('Extras', 'gift')
  editor:offered('Done', '[x] gift')
end)

it('the form of the README can be filled in', function(after)
  local editor = start(after)
  local readme = vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':p:h:h') .. '/README.md'
  local text = table.concat(vim.fn.readfile(readme), '\n'):match('```json\n(.-)```')
  local path = vim.fn.tempname() .. '.form.json'
  vim.fn.writefile(vim.split(text, '\n'), path)
  editor:form(path, 'dish *')
  editor:will_choose('noodles')
  editor:keys('<CR>')
  editor:sees_line('dish *', 'noodles')
  editor:go('[ Order ]')
  editor:keys('<CR>')
  editor:sees_line('[ Order ]', 'Ordered.')
end)

it('a form with a fault says so, and is opened once that is mended', function(after)
  local editor = start(after, { settings = { formctl = vim.env.FORMCTL_BIN } })
  local path = vim.fn.tempname() .. '.form.json'
  local text = '{ "form": "n", "schema": { "type": "%s", "properties": { "a": { "type": "string", "maxLength": 9 } } } }'
  vim.fn.writefile({ text:format('objec') }, path)
  editor:form(path, 'has a fault; :copen lists their places')
  editor:command('split ' .. path)
  editor:command('%s/objec/object/')
  editor:command('write')
  editor:command('close')
  editor:misses(':copen')
  editor:sees('n')
end)

it('an :edit in a form keeps what was typed', function(after)
  local editor = start(after)
  editor:form('signup', 'Email *')
  editor:keys('ikim<Esc>')
  editor:sees_line('Email *', 'kim')
  editor:command('edit')
  editor:sees_line('Email *', 'kim')
  editor:go('Email *')
  editor:keys('Ax<Esc>')
  editor:wait('the value', function()
    return editor:values().email == 'kimx'
  end)
end)

it('the end of the buffer ends the session', function(after)
  local editor = start(after)
  editor:form('signup', 'Email *')
  editor:lua([[_G.session = require('formd.view').of(0).session]])
  editor:command('bwipeout')
  editor:wait('the end', function()
    return editor:lua('return session.state') == 'closed'
  end)
end)

it('a number that the daemon cannot hold is a text, of which the form says what is wrong', function(after)
  local editor = start(after)
  editor:form('payment', 'Amount *')
  editor:keys('i12<Esc>')
  editor:sees_line('Amount *', '12')
  editor:keys('cc99999999999999999999<Esc><Tab>')
  editor:sees('✗ Amount: This must be a number.')
  equal(editor:values().amount, '99999999999999999999')
  equal(editor:told(), '')
end)

it('what is told while one types fits into the line', function(after)
  local editor = start(after)
  editor:form('signup', 'Email *')
  editor:lua([[require('formd.view').of(0).session.observer.told(('long '):rep(60) .. '\nand more', 3)]])
  assert(#editor:told() < 90, editor:told())
  editor:hears('…')
end)

it('no recording begins while a secret is typed', function(after)
  local editor = start(after)
  editor:form('login', 'Password *')
  editor:go('Password *')
  editor:keys('i<C-O>qahunter2<Esc>')
  editor:sees_line('Password *', '•••••••••')
  equal(editor:lua([[return vim.fn.getreg('a')]]), '')
end)

it('an action of a step stands on the page of that step alone', function(after)
  local editor = start(after)
  editor:form('signup', 'Email *')
  editor:lua([[
    local view = require('formd.view').of(0)
    for _, action in ipairs(view.session.description.actions) do
      action.step = ({ toProfile = 'account', toNewsletter = 'profile' })[action.name]
    end
    view:refresh()
  ]])
  editor:misses('toNewsletter')
  editor:sees('[ Next ]')
  editor:command('FormStep newsletter')
  editor:misses('[ Next ]')
  editor:sees('[ Sign up ]')
end)

it('a field that is put below itself brings no label along', function(after)
  local editor = start(after)
  editor:form('signup', 'Email *')
  editor:keys('ikim<Esc>yyp')
  editor:sees_line('Email *', 'kim kim')
  equal(editor:values().email, 'kim kim')
end)

it('a message that begins with the label does not repeat it, and a row is named by its position', function(after)
  local editor = start(after)
  equal(editor:lua([[return require('formd.decoration').named('Email', 'Email addresses have an at sign.')]]), 'Email addresses have an at sign.')
  editor:form('invoice', 'Customer *')
  editor:go('[+ Items]')
  editor:keys('<CR>')
  editor:stands_at('Article *')
  editor:keys('inone<Tab>')
  editor:sees('✗ Article: There is no such article.')
end)

local WIZARD = [[{
  "form": "wizard",
  "schema": { "type": "object", "required": ["name"], "properties": {
    "name": { "type": "string", "maxLength": 20 }, "city": { "type": "string", "maxLength": 20 } } },
  "fields": { "name": { "label": "Name" }, "city": { "label": "City" } },
  "steps": [ { "id": "who", "label": "Who", "fields": ["name"] }, { "id": "where", "label": "Where", "fields": ["city"] } ],
  "actions": {
    "next": { "label": "Go on", "scope": "who" },
    "end": { "label": "Book", "outcomes": [ { "success": "timestamp('2026-11-27T20:00:00Z')" } ] }
  }
}]]

local function wizard()
  local path = vim.fn.tempname() .. '.form.json'
  vim.fn.writefile(vim.split(WIZARD, '\n'), path)
  return path
end

it('the action of a page leads to the next page', function(after)
  local editor = start(after)
  editor:form(wizard(), 'Name *')
  editor:misses('[ Where ›')
  editor:go('[ Go on ]')
  editor:keys('<CR>')
  editor:sees('✗ Name: This is required.')
  editor:stands_at('Name *')
  editor:keys('iKim<Esc>')
  editor:go('[ Go on ]')
  editor:keys('<CR>')
  editor:stands_at('City')
  editor:misses('Name *')
  -- The way back is behind the buttons that go on.
  editor:keys('G')
  editor:stands_at('[ ‹ Who ]')
  editor:keys('<CR>')
  editor:sees_line('Name *', 'Kim')
end)

it('a point in time is shown in the time zone of the user', function(after)
  local editor = start(after, { env = { TZ = 'Asia/Seoul' } })
  editor:form(wizard(), 'Name *')
  editor:keys('iKim<Esc>')
  editor:go('[ Book ]')
  editor:keys('<CR>')
  editor:sees('2026-11-28 05:00:00 KST')
  equal(editor:lua([[return require('formd.outcome').text('2026-03-01T00:30:00.5+09:30')]]), '2026-03-01 00:00:00 KST')
end)

it('the language of the environment counts without its locale, too', function(after)
  local editor = start(after, { settings = { locale = vim.NIL }, env = { LC_ALL = '', LC_MESSAGES = '', LANG = 'eo_XX.UTF-8' } })
  equal(editor:lua([[require('formd.config').current.locale = nil; return require('formd.config').locale()]]), 'eo-XX')
end)

it('what a server refuses is told with its field, and the cursor goes there, on whichever page it is', function(after)
  local editor = start(after)
  local path = vim.fn.tempname() .. '.form.json'
  local fails = [["outcomes": [ { "failure": "'taken'", "fieldErrors": { "name": "'That one is taken.'" } } ] }]]
  vim.fn.writefile({ (WIZARD:gsub('"outcomes": .*$', fails)) .. ' } }' }, path)
  editor:form(path, 'Name *')
  editor:keys('iKim<Esc>]]')
  editor:sees('City')
  editor:command('FormSubmit end')
  editor:hears('Book: Name: That one is taken.')
  editor:sees('✗ Name: That one is taken.')
  editor:wait('the cursor in the field', function()
    return editor:lua('return vim.api.nvim_get_current_line()'):match('Name %*.*Kim') ~= nil
  end)
end)

it('an argument that is no language and no duration is told', function(after)
  local editor = start(after)
  for arguments, word in pairs({
    ['signup kep=1h'] = 'kep=1h',
    ['signup locale=en'] = 'locale=en',
    ['signup 1h'] = '1h',
    ['signup en ko'] = 'ko',
  }) do
    editor:command('Form ' .. arguments)
    editor:hears(('"%s" is neither a language nor keep=DURATION'):format(word))
  end
  equal(editor:lua('return vim.fn.bufname()'), '')
  editor:command('Form signup keep=abc')
  editor:sees('/keep: expected a duration such as')
  editor:form('signup en-US keep=1h', 'Email *')
end)
