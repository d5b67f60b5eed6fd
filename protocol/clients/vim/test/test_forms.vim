vim9script
# Forms on the screen of a real Vim, against a real daemon ($FORMD_SOCKET) with the example forms.

import './screen.vim'

def Open(form: string, options: dict<any> = {})
  screen.Start(['Form ' .. form], options)
enddef

def g:Test_a_form_is_drawn_with_labels_marks_and_buttons()
  Open('invoice')
  screen.SeeBlock(['^  Customer \*', '^$', '^  Items \*$', '^    \[ + Items \]$'])
  screen.See('^  ( Send )$')
  screen.SeeCursor('Customer')
enddef

def g:Test_messages_show_when_a_field_was_left_and_go_while_one_types()
  Open('signup')
  screen.See('Email \*')
  screen.Press('ikim')
  screen.See('kim')
  screen.Press("\<Esc>")
  screen.SeeBlock(['Email \*  *kim$', '^  *Email: That is not an email address.$'])
  screen.Press('a@example.com')
  screen.See('kim@example.com')
  screen.SeeNot('That is not')
  screen.SeeCursor('Email', 'kim@example.com')
enddef

def g:Test_keys_that_change_text_change_values_and_no_labels()
  Open('invoice')
  screen.See('Customer')
  screen.Press('ione two')
  screen.See('Customer \*  *one two$')
  screen.Press("\<Esc>0x")
  screen.See('Customer \*  *ne two$')
  screen.Press('ccthree')
  screen.See('Customer \*  *three$')
  screen.Press("\<C-u>four\<Esc>Ia \<Esc>A b\<Esc>")
  screen.See('Customer \*  *a four b$')
  screen.Press('dd')
  screen.See('Customer \*$')
  screen.Press("u")
  screen.See('Customer \*  *a four b$')
enddef

def g:Test_a_label_that_was_damaged_comes_back()
  Open('invoice')
  screen.See('Customer')
  screen.Press("iKim\<Esc>")
  screen.See('Customer \*  *Kim$')
  screen.Press(":%s/Customer/Nobody/\<CR>")
  screen.See('Customer \*  *Kim$')
  screen.Press(":g/Send/d\<CR>")
  screen.See('( Send )')
  screen.Press("3GVGJ")
  screen.SeeBlock(['Customer \*  *Kim$', '^$', '^  Items'])
enddef

def g:Test_lines_that_were_deleted_are_emptied_values()
  Open('payment')
  screen.See('Amount')
  screen.Press("i12\<Esc>")
  screen.See('Amount \*  *12$')
  screen.Press(":g/Amount/d\<CR>")
  screen.SeeBlock(['^  Payment$', '^$', '^  Amount \*$'])
enddef

def g:Test_rows_are_added_moved_and_removed()
  Open('invoice')
  screen.See('+ Items')
  screen.Press("/+ Items\<CR>\<CR>")
  screen.See('Quantity \*  *1$')
  screen.SeeCursor('Article')
  screen.Press("iA-100\<Esc>o")
  screen.See('Items 2')
  # The cursor goes to the new row when the daemon has said what it begins with.
  screen.SeeCursor('^ *Article \*\s*$')
  screen.Press("iB-200\<Esc>")
  screen.SeeBlock(['Items 1', 'Article \*  *A-100$'])
  screen.SeeBlock(['Items 2', 'Article \*  *B-200$'])
  screen.Press("[e")
  screen.SeeBlock(['Items 1', 'Article \*  *B-200$'])
  screen.SeeCursor('B-200')
  screen.Press("kdd")
  screen.SeeNot('Items 2')
  screen.SeeBlock(['Items 1', 'Article \*  *A-100$'])
enddef

def g:Test_rows_in_rows_are_drawn()
  Open('rows')
  screen.See('+ items')
  screen.Press("/+ items\<CR>\<CR>")
  screen.See('+ lines')
  screen.Press("/+ lines\<CR>\<CR>")
  screen.SeeBlock(['items 1', 'name', 'count', 'lines', 'lines 1', 'text', '+ lines', '+ items'])
enddef

def g:Test_figures_follow()
  Open('invoice')
  screen.See('+ Items')
  screen.Press("/+ Items\<CR>\<CR>")
  screen.SeeCursor('Article')
  screen.Press("iA-100\<Tab>\<Tab>\<C-u>3\<Tab>99999.99\<Esc>")
  screen.See('total 299999.97')
  screen.See('Items 1 .*net 299999.97')
enddef

def g:Test_a_choice_is_made_from_a_menu()
  Open('payment')
  screen.See('Kind')
  screen.Press("\<Tab>\<CR>")
  screen.See('Bank account')
  screen.Press("j\<CR>")
  screen.See('Kind \*  *Bank account ▾$')
  screen.See('IBAN')
enddef

def g:Test_a_menu_is_narrowed_by_typing()
  Open('payment')
  screen.See('Kind')
  screen.Press("\<Tab>\<CR>/car")
  screen.SeeNot('Bank')
  screen.Press("\<CR>")
  screen.See('Kind \*  *Card ▾$')
enddef

def g:Test_disabled_choices_are_not_offered_and_a_text_of_ones_own_is_typed()
  var file = tempname() .. '.form.json'
  writefile(['{"form": "mine", "title": "Mine", "schema": {"type": "object", "properties": {',
    '"way": {"enum": ["air", "ship", "post"], "default": "post"}, "colour": {"type": "string", "maxLength": 9}}},',
    '"fields": {"way": {"label": "Way", "options": [{"value": "air", "disabled": true}, {"value": "post", "disabled": true}]},',
    '"colour": {"label": "Colour", "options": [{"value": "red"}], "other": true}}}'], file)
  Open(file)
  screen.See('Way  *post')
  screen.Press("\<CR>")
  screen.See('> post')
  screen.See('ship')
  screen.SeeNot('air')
  screen.Press("k\<CR>")
  screen.See('Way  *ship')
  screen.Press("\<Tab>\<CR>/pink\<CR>")
  screen.See('Colour  *pink')
enddef

def g:Test_choices_that_a_server_gives_follow()
  Open('address')
  screen.See('Country')
  screen.Press("\<CR>")
  screen.See('Germany')
  screen.Press("/germ\<CR>")
  screen.See('Country \*  *Germany')
  screen.Press("\<Tab>")
  screen.SeeCursor('City')
  screen.Press("\<CR>")
  screen.See('Berlin')
  screen.Press("/berl\<CR>")
  screen.See('City \*  *Berlin')
enddef

def g:Test_a_check_box_is_toggled()
  Open('settings')
  screen.See('Spaces for tabs  *\[-\]')
  screen.Press("/Spaces\<CR>\<Space>")
  screen.See('Spaces for tabs  *\[x\]')
  screen.Press("\<Space>")
  screen.See('Spaces for tabs  *\[ \]')
  screen.Press('dd')
  screen.See('Spaces for tabs  *\[-\]')
enddef

def g:Test_a_secret_is_in_no_buffer_register_or_history()
  Open('login')
  screen.See('Password')
  screen.Press("ikim@example.com\<Tab>")
  screen.SeeCursor('Password')
  screen.Press("hunter2xyz\<C-h>\<C-h>\<C-h>")
  screen.See('•••••••_')
  screen.See('\[ Log in \]\|\[ 로그인 \]\|\[ login \]')
  screen.Press("\<CR>")
  screen.SeeNot('_ ')
  screen.See('Password.*••••••••$')
  var told = string(screen.Ask('[getbufline("%", 1, "$"), getreginfo("."), getreginfo("\""), getreginfo("-"), undotree(), '
    .. 'execute("registers"), execute("messages"), execute("history"), execute("changes")]'))
  assert_match('kim@example.com', told)
  assert_notmatch('unter2', told)
enddef

def g:Test_the_help_of_a_secret_stays_in_sight_while_it_is_typed()
  Open('signup')
  screen.See('Password')
  screen.Press("/Password\<CR>ihun")
  screen.SeeBlock(['^  Password \*  *•••_', '^  *Ten characters or more, with a digit\.$'])
  screen.Press("\<CR>")
  screen.See('^  Password \*  *••••••••$')
enddef

def g:Test_a_secret_is_not_asked_for_while_a_register_is_recorded()
  Open('login')
  screen.See('Password')
  screen.Press("\<Tab>qqi")
  screen.See('Stop recording')
  screen.Press("\<Esc>qi")
  screen.See('Password.* _$')
enddef

def g:Test_keys_are_no_commands_where_a_secret_is_not_asked_for()
  Open('login')
  screen.See('Password')
  screen.Press("qqikim\<Tab>ddx")
  screen.See('Stop recording')
  screen.Press("\<Esc>q")
  screen.SeeNot('recording')
  screen.See('Email.* kim$')
  assert_false(has_key(screen.Ask('formd#session#Of(bufnr()).secrets'), 'password'))
enddef

# Secrets and texts, one after the other.
def Secrets(): string
  var file = tempname() .. '.form.json'
  writefile(['{"form": "mine", "schema": {"type": "object", "properties": {"name": {"type": "string", "maxLength": 20},',
    '"pin": {"type": "string", "maxLength": 20, "writeOnly": true}, "code": {"type": "string", "maxLength": 20, "writeOnly": true},',
    '"city": {"type": "string", "maxLength": 20}}}}'], file)
  return file
enddef

def g:Test_keys_of_insert_mode_are_a_secret_and_no_commands()
  Open(Secrets())
  screen.See('^  name')
  # All at once, as a fast typist or a paste does.
  screen.Press("iKim\<Tab>qqdd1\<Tab>ip\<Tab>Bern")
  screen.See('^  city  *Bern$')
  screen.See('^  pin  *••••••••$')
  screen.See('^  name  *Kim$')
  screen.Press("\<Esc>")
  assert_equal({pin: 'qqdd1', code: 'ip'}, screen.Ask('formd#session#Of(bufnr()).secrets'))
  assert_equal(['', ''], screen.Ask('[reg_recording(), getreg("q")]'))
enddef

def g:Test_a_letter_in_insert_mode_begins_a_secret_however_the_cursor_came_there()
  Open(Secrets())
  screen.See('^  name')
  screen.Press("iKim\<Down>qqdd1\<Esc>")
  screen.See('^  pin  *••••••••$')
  screen.See('^  name  *Kim$')
  screen.Press("/code\<CR>cwqq2\<Esc>")
  screen.See('^  code  *••••••••$')
  assert_equal({pin: 'qqdd1', code: 'qq2'}, screen.Ask('formd#session#Of(bufnr()).secrets'))
  assert_notmatch('qdd1', string(screen.Ask('[reg_recording(), undotree(), execute("registers"), execute("changes")]')))
enddef

def g:Test_a_field_with_a_secret_is_left_when_its_input_ends()
  Open('signup')
  screen.See('Email \*')
  screen.Press("ikim\<Tab>")
  # The message of the other field moves the secret down, and its input with it.
  screen.SeeBlock(['Email \*  *kim$', '^  *Email: That is not an email address', '^  Password \*  *_$'])
  # The field is edited, so there is no message yet.
  screen.SeeNot('Password: ')
  screen.Press("\<S-Tab>")
  screen.See('Password: This is required')
  screen.SeeCursor('Email', 'kim')
enddef

def g:Test_a_login_succeeds_and_says_so()
  Open('login')
  screen.See('Password')
  screen.Press("ikim@example.com\<Tab>")
  screen.SeeCursor('Password')
  screen.Press("hunter2\<CR>")
  screen.See('Password.*••••••••$')
  screen.Press(":w\<CR>")
  screen.See('Kim님 환영합니다')
  assert_equal(0, screen.Ask('&modified'))
enddef

def g:Test_a_refused_tap_goes_to_the_first_field_to_be_mended()
  Open('payment')
  screen.See('Pay')
  screen.Press("/Pay\<CR>G\<CR>")
  screen.See('Amount: This is required')
  screen.SeeBlock(['Amount \*', '^  *Amount: This is required'])
  screen.SeeCursor('Amount')
enddef

def g:Test_steps_are_pages()
  Open('signup')
  screen.See('1 Account › 2 Profile › 3 Newsletter')
  screen.SeeNot('Country')
  screen.Press(']]')
  screen.See('Country')
  screen.SeeNot('Email')
  # Behind the last field, <Tab> goes on.
  screen.Press("/Postal\<CR>i12345\<Tab>")
  screen.SeeCursor('Next')
  screen.Press("/Back\<CR>\<CR>")
  screen.See('Email')
  screen.Press(":FormStep newsletter\<CR>")
  screen.See('Send me the newsletter')
enddef

def g:Test_a_suggested_value_follows_until_the_user_gives_one()
  Open('booking')
  screen.See('Web address')
  screen.Press('iA Long Stay')
  screen.See('Web address \*  *a-long-stay$')
  screen.SeeCursor('Name of the stay', 'A Long Stay')
  screen.Press("\<Tab>\<C-u>m")
  # The form is drawn between two letters, which go on in their order.
  screen.See('Web address \*  *m$')
  screen.Press("ine\<Esc>k")
  screen.See('Web address \*  *mine$')
  screen.Press("A Too\<Esc>")
  screen.See('A Long Stay Too')
  screen.See('Web address \*  *mine$')
enddef

def g:Test_a_computed_value_is_read_only()
  Open('booking')
  screen.See('Nights')
  screen.Press("/Arrival\<CR>A2027-03-01\<Tab>2027-03-04\<Esc>")
  screen.See('Nights  *3$')
  screen.Press("/Nights\<CR>i")
  screen.See('Nights is computed')
enddef

def g:Test_a_text_of_several_lines_is_edited_as_lines()
  Open('feedback')
  screen.See('Tell us what you think')
  screen.Press("/Message\<CR>ione\<CR>two\<CR>three")
  screen.SeeBlock(['Message \*  *one$', '^  *two$', '^  *three$'])
  screen.Press("\<C-w>\<C-h>")
  screen.SeeBlock(['Message \*  *one$', '^  *two$', '^\s*\S'])
  screen.Press("\<Esc>ofour\<Esc>yypkdd")
  screen.SeeBlock(['Message \*  *one$', '^  *two$', '^  *four$'])
enddef

def g:Test_texts_are_in_the_language_that_is_set()
  screen.Start(["let g:formd_locale = 'ko'", 'Form payment'])
  screen.See('금액 \*')
  screen.Press("i십\<Esc>")
  screen.See('금액 \*  *십$')
enddef

def g:Test_the_language_comes_from_the_environment()
  screen.Start(['unlet g:formd_locale', 'Form payment'], {env: {LC_ALL: '', LANG: 'ko_KR.UTF-8', LC_MESSAGES: ''}})
  screen.See('금액')
enddef

def g:Test_a_narrow_window_breaks_messages()
  Open('settings', {columns: 36})
  screen.SeeBlock(['Editing', 'What stands below \[python\] is$', 'for that language only'])
enddef

def g:Test_a_form_is_laid_out_again_when_the_width_changes()
  const wide = 'What stands below \[python\] is for that language only'
  const narrow = ['What stands below \[python\] is *$', '    for that language only']
  Open('settings')
  screen.See(wide)
  screen.Widen(36)
  screen.SeeBlock(narrow)
  screen.Widen(80)
  screen.See(wide)
  screen.Press(":vnew\<CR>:wincmd l\<CR>")
  if screen.Ask('exists("##WinResized")') == 1
    screen.Press(":vertical resize 36\<CR>")
    screen.SeeBlock(narrow)
  endif
  screen.Press("\<C-w>o:enew\<CR>")
  screen.SeeNot('language only')
  screen.Widen(36)
  screen.Press(":buffer formd://settings\<CR>")
  screen.SeeBlock(narrow)
enddef

def g:Test_a_name_that_is_no_form_is_told_with_the_closest()
  Open('invoic')
  screen.See('there is no form invoic; did you mean invoice?')
enddef

def g:Test_names_of_forms_are_completed()
  screen.Start([])
  screen.Press(":Form inv\<Tab>")
  screen.See('^:Form invoice$')
enddef

def g:Test_a_definition_in_a_file_is_a_form()
  var file = tempname() .. '.form.json'
  writefile(['{"form": "mine", "title": "Mine", "schema": {"type": "object", "properties": {"colors": {"type": "array",',
    '"uniqueItems": true, "items": {"enum": ["red", "green", "blue"]}}}}}'], file)
  Open(file)
  screen.See('^  Mine$')
  screen.Press("\<CR>")
  screen.See('\[ \] red')
  screen.Press("\<Space>jj\<Space>")
  screen.See('\[x\] blue')
  screen.Press("\<CR>")
  screen.See('colors  *red, blue ▾$')
enddef

def g:Test_fields_stand_in_the_order_of_the_definition()
  var file = tempname() .. '.form.json'
  writefile(['{"form": "mine", "title": "Mine", "schema": {"type": "object", "properties": {"dish": {"type": "string"},',
    '"count": {"type": "integer"}, "notes": {"type": "string"}, "above": {"type": "string"}}}, "fields": {"notes": {"label": "Notes"}}}'],
    file)
  Open(file)
  screen.SeeBlock(['^  dish', '^  count', '^  Notes', '^  above'])
enddef

def g:Test_the_first_key_is_taken_at_once()
  # What Vim does to let a message be read, it writes down.
  var log = tempname()
  screen.Start([$'call ch_logfile("{log}", "w")'])
  screen.Press(":Form invoice\<CR>")
  screen.See('Customer')
  screen.SeeCursor('Customer')
  screen.Press('iKim')
  screen.See('Customer \*  *Kim$')
  assert_equal([], readfile(log)->filter((_, line) => line =~ 'ui_delay'))
enddef

def g:Test_a_broken_definition_is_told_with_its_places()
  var file = tempname() .. '.form.json'
  writefile(['{"form": "mine",', ' "schema": {"type": "objct"}}'], file)
  screen.Start([$"let g:formd_formctl = '{$FORMCTL_BIN}'", 'Form ' .. file], {columns: 160})
  screen.See('|2 col \d\+ error| "objct" is not a type')
enddef

def g:Test_what_was_typed_keeps_a_window_from_being_closed()
  Open('invoice')
  screen.See('Customer')
  screen.Press("iKim\<Esc>")
  screen.See('Kim$')
  assert_equal(1, screen.Ask('&modified'))
  screen.Press(":q\<CR>")
  screen.See('E37')
enddef

def g:Test_a_reset_brings_back_the_beginning()
  Open('settings')
  screen.See('Theme  *As the system')
  screen.Press("\<CR>")
  screen.See('Dark')
  screen.Press("kk\<CR>")
  screen.See('Theme  *\%(Light\|Dark\) ')
  screen.Press(":FormReset\<CR>")
  screen.See('Theme  *As the system')
enddef

def g:Test_an_edit_is_taken_back_and_repeated()
  Open('expenses')
  screen.See('First day')
  screen.Press("i4/5/2026\<Esc>")
  screen.See('First day \*  *4/5/2026$')
  screen.Press(":FormUndo\<CR>")
  screen.SeeNot('4/5/2026')
  screen.Press(":FormRedo\<CR>")
  screen.See('First day \*  *4/5/2026$')
enddef

def g:Test_what_there_is_to_say_of_a_field_goes_with_the_next_key()
  Open('invoice')
  screen.See('Customer')
  screen.Press('K')
  screen.See('maxLength 200')
  screen.Press("\<Esc>")
  screen.SeeNot('maxLength')
  screen.Press('g?')
  screen.See('Keys of a form')
  screen.Press("iKim")
  screen.See('Customer \*  *Kim$')
  screen.SeeNot('Keys of a form')
enddef

def g:Test_several_forms_are_open_at_once()
  Open('payment')
  screen.See('Amount')
  screen.Press("i12\<Esc>:Form settings\<CR>")
  screen.See('Theme')
  screen.Press(":Form login\<CR>")
  screen.See('Password')
  screen.Press("ikim@example.com\<Esc>")
  screen.See('kim@example.com')
  screen.Press(":buffer formd://payment\<CR>")
  screen.See('Amount \*  *12$')
  screen.Press("A3\<Tab>")
  screen.SeeBlock(['Amount \*  *123$'])
  screen.SeeCursor('Kind')
enddef

def g:Test_edit_begins_anew()
  Open('payment')
  screen.See('Amount')
  screen.Press("i12\<Esc>")
  screen.See('Amount \*  *12$')
  screen.Press(":e!\<CR>")
  screen.See('Amount \*$')
  screen.Press("i34\<Esc>")
  screen.See('Amount \*  *34$')
  assert_notmatch('E\d\+:', screen.Ask('execute("messages")'))
enddef

# What the plugin needs of Vim's colours is there without `:syntax on`, and on terminals without colours.
def g:Test_a_form_is_drawn_without_syntax_highlighting()
  for terminal in ['xterm-256color', 'vt100']
    screen.Start(['Form signup'], {env: {TERM: terminal, FORMD_TEST_SYNTAX: 'off'}})
    screen.See('Email \*')
    screen.Press("ikim\<Esc>")
    screen.See('Email: That is not an email address')
    assert_equal([], screen.Ask('execute("messages")')->split("\n")->filter((_, line) => line =~ 'E\d\+:'))
    screen.End()
  endfor
enddef

def g:Test_colours_outlive_a_color_scheme()
  Open('signup')
  screen.See('Email \*')
  screen.Press(":colorscheme desert\<CR>")
  assert_equal('Title', screen.Ask('synIDattr(synIDtrans(hlID("FormdTitle")), "name")'))
enddef

const booked = '{"when": "has(values.city)", "success": "timestamp(\"2026-11-27T20:00:00Z\")"}, {"success": "1", "message": "Booked."}'

# A wizard of two pages. The action of the first page leads to the second one. `outcomes` are of the last action.
def Wizard(outcomes: string = booked): string
  var file = tempname() .. '.form.json'
  writefile(['{"form": "wizard", "title": "Wizard", "schema": {"type": "object", "required": ["name"], "properties":',
    '{"name": {"type": "string", "maxLength": 20}, "city": {"type": "string", "maxLength": 20}}},',
    '"fields": {"name": {"label": "Name"}, "city": {"label": "City"}},',
    '"steps": [{"id": "who", "label": "Who", "fields": ["name"]}, {"id": "where", "label": "Where", "fields": ["city"]}],',
    $'"actions": {{"next": {{"label": "Go on", "scope": "who"}}, "end": {{"label": "Book", "outcomes": [{outcomes}]}}}}}}'], file)
  return file
enddef

def g:Test_the_action_of_a_page_leads_to_the_next_page()
  Open(Wizard())
  screen.See('Name \*')
  screen.SeeNot('Next')
  screen.Press("/Go on\<CR>\<CR>")
  screen.See('Name: This is required')
  screen.SeeCursor('Name')
  screen.Press("iKim\<Tab>")
  screen.SeeCursor('Go on')
  screen.Press("\<CR>")
  screen.See('City')
  screen.SeeNot('Name')
  screen.SeeCursor('City')
  screen.Press("/Back\<CR>\<CR>")
  screen.See('Name \*  *Kim$')
enddef

def g:Test_what_a_server_refuses_is_told_with_its_field_and_page()
  Open(Wizard('{"failure": "''taken''", "fieldErrors": {"name": "''That one is taken.''"}}'))
  screen.See('Name \*')
  screen.Press("iKim\<Esc>]]")
  screen.See('City')
  screen.Press("/City\<CR>iBern\<Esc>:FormTap end\<CR>")
  screen.See('^formd: Book: Name: That one is taken\.')
  screen.SeeBlock(['^  Name \*  *Kim$', '^  *Name: That one is taken\.'])
  screen.SeeCursor('^  Name \*')
enddef

def g:Test_an_outcome_stands_in_the_form_and_covers_no_field()
  Open(Wizard())
  screen.See('Name \*')
  screen.Press("iKim\<Esc>]]")
  screen.See('City')
  screen.Press("/Book\<CR>\<CR>")
  screen.SeeBlock(['\[ Book \]', '^  Booked.$'])
  screen.See('^formd: Book: Booked.')
  screen.Press("/City\<CR>iBern\<Esc>:w\<CR>")
  # A point in time is in the time zone of the user.
  screen.SeeBlock(['\[ Book \]', '^  2026-11-27 2[01]:00:00 \S\+$'])
  assert_equal([], screen.Ask('popup_list()'))
enddef

# The sign-up wizard from its first page to the message of its end.
def SignUp(environment: dict<string>)
  screen.Start(['Form signup'], {env: environment})
  screen.SeeBlock(['1 Account › 2 Profile › 3 Newsletter'])
  screen.SeeCursor('^  Email \*')
  screen.Press($"i{rand(srand())}@example.com\<Tab>")
  screen.SeeCursor('^  Password \*')
  screen.Press("correct horse 1\<CR>")
  screen.See('^  Password \*  *••••••••$')
  screen.Press("/Next\<CR>\<CR>")
  screen.SeeCursor('^  Name \*')
  screen.Press("iKim\<Tab>")
  screen.SeeCursor('^  Country \*')
  screen.Press("\<CR>")
  screen.See('South Korea')
  screen.Press("/south\<CR>")
  screen.See('^  Country \*  *South Korea ▾$')
  screen.Press("/Street\<CR>iSejong-daero 1\<Tab>Seoul\<Tab>03000\<Esc>")
  screen.See('Postal code \*  *03000$')
  screen.Press("/Next\<CR>\<CR>")
  screen.See('Send me the newsletter')
  screen.Press("/Sign up \\]\<CR>\<CR>")
  screen.SeeBlock(['\[ Sign up \]', '^  Welcome\.$'])
  screen.See('^formd: Sign up: Welcome\.$')
  assert_match('formd: Sign up: Welcome\.', screen.Ask('execute("messages")'))
  assert_notmatch('E\d\+:', screen.Ask('execute("messages")'))
enddef

def g:Test_a_wizard_is_filled_in_to_its_message_of_success()
  SignUp({})
enddef

def g:Test_a_wizard_is_filled_in_without_syntax_highlighting()
  SignUp({FORMD_TEST_SYNTAX: 'off'})
enddef

def g:Test_a_wizard_is_filled_in_on_a_terminal_without_colours()
  SignUp({TERM: 'vt100'})
enddef
