package formd

import (
	"strconv"
	"strings"
)

// MergePatch returns target with a JSON Merge Patch applied (RFC 7396). It leaves target as it is.
func MergePatch(target, patch any) any {
	changes, ok := patch.(map[string]any)
	if !ok {
		return patch
	}
	old, _ := target.(map[string]any)
	merged := make(map[string]any, len(old)+len(changes))
	for name, value := range old {
		merged[name] = value
	}
	for name, change := range changes {
		if change == nil {
			delete(merged, name)
		} else {
			merged[name] = MergePatch(merged[name], change)
		}
	}
	return merged
}

// Pointer is a field's address as a JSON Pointer: "email" becomes "/email".
func Pointer(address string) string {
	if address == "" || strings.HasPrefix(address, "/") {
		return address
	}
	return "/" + escape(address)
}

func escape(part string) string {
	return strings.ReplaceAll(strings.ReplaceAll(part, "~", "~0"), "/", "~1")
}

func unescape(part string) string {
	return strings.ReplaceAll(strings.ReplaceAll(part, "~1", "/"), "~0", "~")
}

func parts(address string) []string {
	pointer := Pointer(address)
	if pointer == "" {
		return nil
	}
	split := strings.Split(pointer[1:], "/")
	for index, part := range split {
		split[index] = unescape(part)
	}
	return split
}

// namesPosition says whether an address may name a row by its position, which another row can have at a later time.
func namesPosition(address string) bool {
	for _, part := range parts(address) {
		if _, err := strconv.Atoi(part); err == nil || part == "-" {
			return true
		}
	}
	return false
}

// State finds the state of a field or a row in a document: by "email", "/address/city", "/items/#7/sku" or
// "/items/0". It returns nil if the document does not have it; in a row, the document leaves out fields whose state is
// the usual one.
func State(document map[string]any, address string) map[string]any {
	state := document
	for _, part := range parts(address) {
		if order, isList := state["order"].([]any); isList {
			row := strings.TrimPrefix(part, "#")
			if row == part {
				position, err := strconv.Atoi(part)
				if err != nil || position < 0 || position >= len(order) {
					return nil
				}
				row, _ = order[position].(string)
			}
			rows, _ := state["rows"].(map[string]any)
			state, _ = rows[row].(map[string]any)
		} else {
			fields, _ := state["fields"].(map[string]any)
			state, _ = fields[part].(map[string]any)
		}
		if state == nil {
			return nil
		}
	}
	return state
}

// ListRow is one row of a list.
type ListRow struct {
	// ID is the row's identity, which no other row of the session ever has.
	ID string
	// Address is the row's address, such as "/items/#7". It stays right wherever the row moves.
	Address string
	// State has what the document says of the row. Members with their usual value are left out.
	State map[string]any
}

// AddressOf is the address of a field inside the row.
func (row ListRow) AddressOf(field string) string { return row.Address + "/" + escape(field) }

// Rows are the rows of a list in a document, in order.
func Rows(document map[string]any, list string) []ListRow {
	state := State(document, list)
	order, _ := state["order"].([]any)
	states, _ := state["rows"].(map[string]any)
	rows := make([]ListRow, 0, len(order))
	for _, one := range order {
		id, _ := one.(string)
		row, _ := states[id].(map[string]any)
		rows = append(rows, ListRow{ID: id, Address: Pointer(list) + "/#" + id, State: row})
	}
	return rows
}
