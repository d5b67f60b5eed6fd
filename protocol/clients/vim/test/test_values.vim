vim9script
# JSON, addresses and texts of values, without a daemon.

import '../autoload/formd/address.vim'
import '../autoload/formd/content.vim'
import '../autoload/formd/document.vim'
import '../autoload/formd/faults.vim'
import '../autoload/formd/json.vim'
import '../autoload/formd/layout.vim'

def g:Test_numbers_lose_no_digit()
  for [text, back] in [['99999999.99', '99999999.99'], ['0.1', '0.1'], ['1.0', '1.0'], ['1234567.891', '1234567.891'],
      ['-0.000001234567', '-0.000001234567'], ['9007199254740993', '9007199254740993'], ['1e300', '1e+300']]
    assert_equal(back, json.Encode(json_decode(text)), text)
  endfor
enddef

def g:Test_values_of_all_kinds_are_encoded()
  assert_equal('{"a":[1,2.5,"x",true,null,{}]}', json.Encode({a: [1, 2.5, 'x', true, null, {}]}))
enddef

def g:Test_a_typed_text_means_a_value_of_the_fields_type()
  for [type, text, value] in [['string', '12', '12'], ['integer', '12', 12], ['number', ' 12.50 ', 12.5], ['number', '12.', '12.'],
      ['integer', '', null], ['string', '', ''], ['integer', '99999999999999999999', '99999999999999999999'],
      ['integer', 'true', 'true'], ['object', '{"a": 1}', {a: 1}], ['array', '[1', '[1'], ['any', 'null', null]]
    assert_equal(value, content.FromText({type: type}, text), $'{type} {text}')
  endfor
  # The daemon reads the text.
  assert_equal('1.234', content.FromText({type: 'number', read: 'number'}, '1.234'))
  assert_equal(null, content.FromText({type: 'number', read: 'number'}, ' '))
enddef

def g:Test_a_merge_patch_changes_what_it_names()
  assert_equal({a: {b: 2}, d: [3], e: {f: 1}},
    json.Merge({a: {b: 1, c: 1}, d: [1, 2]}, {a: {b: 2, c: null}, d: [3], e: {f: 1, g: null}}))
  assert_equal({a: ''}, json.Merge({a: 1}, {a: ''}))
enddef

def g:Test_addresses_are_names_or_pointers()
  assert_equal(['email'], address.Tokens('email'))
  assert_equal(['items', '#7', 'a/b'], address.Tokens('/items/#7/a~1b'))
  assert_equal('email', address.Join(['email']))
  assert_equal('/items/#7/a~1b', address.Join(['items', '#7', 'a/b']))
  assert_equal('/items/*/name', address.Template('/items/#7/name'))
  assert_true(address.IsWithin('/items/#7/name', 'items'))
  assert_true(address.IsWithin('items', 'items'))
  assert_false(address.IsWithin('itemsToo', 'items'))
enddef

def g:Test_rows_are_found_again_by_position_in_another_session()
  var before = {fields: {items: {order: ['3', '1'], rows: {'1': {fields: {lines: {order: ['9'], rows: {}}}}}}}}
  var after = {fields: {items: {order: ['1', '2'], rows: {'2': {fields: {lines: {order: ['5'], rows: {}}}}}}}}
  assert_equal('/items/#2/lines/#5/text',
    document.WithIdentities(after, document.WithPositions(before, '/items/#1/lines/#9/text')))
  assert_equal('', document.WithIdentities({fields: {items: {order: []}}}, '/items/#0'))
enddef

# The names of the buttons on a page.
def Buttons(form: dict<any>, step: string): list<string>
  form.document.step = step
  return layout.Items(form, 80, '')->copy()->filter((_, item) => index(['button', 'step'], item.kind) >= 0)
    ->mapnew((_, item) => trim(item.lines[0].text))
enddef

def g:Test_an_action_of_a_step_stands_on_its_page_and_no_two_buttons_are_equal()
  var known = {isEnabled: true, isLoading: false}
  var step = {isVisible: true, isTouched: false, isValid: true}
  var form = {name: 'wizard', state: 'open', notice: '', values: {}, texts: {}, secrets: {},
    description: {form: 'wizard', fields: [], steps: [{id: 'one', label: 'One', fields: []}, {id: 'two', label: 'Two', fields: []}],
      actions: [{name: 'on', label: 'Next', step: 'one'}, {name: 'send', label: 'Send'}]},
    document: {step: 'one', steps: {one: step, two: step}, actions: {on: known, send: known}}}
  assert_equal(['[ Two › ]', '[ Next ]', '[ Send ]'], Buttons(form, 'one'))
  assert_equal(['[ Send ]', '[ ‹ Back ]'], Buttons(form, 'two'))
  # A daemon that does not tell of steps: all buttons, as ever.
  remove(form.description.actions[0], 'step')
  assert_equal(['[ Next ]', '[ Send ]', '[ ‹ Back ]'], Buttons(form, 'two'))
enddef

def g:Test_an_older_daemon_is_told_as_such()
  assert_match('older than this plugin', faults.Explain({code: -32601, message: 'method not found'}))
enddef
