package formd

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"reflect"
	"sync"
	"testing"
	"time"
)

func TestPatchesMergeAsTheRFCSays(t *testing.T) {
	// RFC 7396, appendix A.
	for _, row := range [][3]string{
		{`{"a":"b"}`, `{"a":"c"}`, `{"a":"c"}`}, {`{"a":"b"}`, `{"b":"c"}`, `{"a":"b","b":"c"}`},
		{`{"a":"b"}`, `{"a":null}`, `{}`}, {`{"a":"b","b":"c"}`, `{"a":null}`, `{"b":"c"}`},
		{`{"a":["b"]}`, `{"a":"c"}`, `{"a":"c"}`}, {`{"a":"c"}`, `{"a":["b"]}`, `{"a":["b"]}`},
		{`{"a":{"b":"c"}}`, `{"a":{"b":"d","c":null}}`, `{"a":{"b":"d"}}`},
		{`{"a":[{"b":"c"}]}`, `{"a":[1]}`, `{"a":[1]}`}, {`["a","b"]`, `["c","d"]`, `["c","d"]`},
		{`{"a":"b"}`, `["c"]`, `["c"]`}, {`{"a":"foo"}`, `null`, `null`}, {`{"a":"foo"}`, `"bar"`, `"bar"`},
		{`{"e":null}`, `{"a":1}`, `{"e":null,"a":1}`}, {`[1,2]`, `{"a":"b","c":null}`, `{"a":"b"}`},
		{`{}`, `{"a":{"bb":{"ccc":null}}}`, `{"a":{"bb":{}}}`},
	} {
		target, patch, merged := decoded(row[0]), decoded(row[1]), decoded(row[2])
		if found := MergePatch(target, patch); !reflect.DeepEqual(found, merged) {
			t.Errorf("%s and %s: %v", row[0], row[1], found)
		}
		if !reflect.DeepEqual(target, decoded(row[0])) {
			t.Errorf("%s was changed", row[0])
		}
	}
}

func decoded(text string) any {
	var value any
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		panic(err)
	}
	return value
}

func TestFieldsAndRowsAreFoundByTheirAddresses(t *testing.T) {
	document := decoded(`{"fields":{"a/b":{"n":1},"items":{"order":["4","2"],"rows":{
		"2":{"n":2},"4":{"n":4,"fields":{"sku":{"n":5}}}}}}}`).(map[string]any)
	for address, number := range map[string]any{
		"/a~1b": 1.0, "/items/#2": 2.0, "/items/0": 4.0, "/items/#4/sku": 5.0, "/items/0/sku": 5.0,
		"/items/2": nil, "/items/#9": nil, "nothing": nil, "/items/-": nil, "/items/#2/sku": nil,
	} {
		if found := State(document, address)["n"]; found != number {
			t.Errorf("%s: %v", address, found)
		}
	}
	rows := Rows(document, "items")
	if len(rows) != 2 || rows[0].ID != "4" || rows[1].Address != "/items/#2" || rows[1].AddressOf("a/b") != "/items/#2/a~1b" {
		t.Error(rows)
	}
}

// dial connects to the daemon at FORMD_SOCKET, which has the example forms.
func dial(t *testing.T) (context.Context, *Client) {
	if os.Getenv("FORMD_SOCKET") == "" {
		t.Skip("FORMD_SOCKET names no daemon with the example forms (scripts/quickstart starts one)")
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	client, err := Dial(ctx, Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close(); cancel() })
	return ctx, client
}

func TestTheDocumentOfManyInputsEqualsTheDaemons(t *testing.T) {
	ctx, client := dial(t)
	session, err := client.Open(ctx, "invoice", OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	for number := 0; number < 20; number++ {
		number := number
		group.Add(1)
		go func() {
			defer group.Done()
			row, err := session.Insert(ctx, "items", map[string]any{"quantity": number})
			if err == nil {
				err = session.Change(ctx, "/items/#"+row+"/quantity", number+1)
			}
			if err == nil && number%3 == 0 {
				err = session.Remove(ctx, "/items/#"+row)
			}
			if err != nil {
				t.Error(err)
			}
		}()
	}
	group.Wait()
	var state struct{ Document map[string]any }
	if err := session.Call(ctx, "session/get", nil, &state); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(session.Document(), state.Document) {
		t.Error("the document that was kept by merging differs from session/get")
	}
	if rows := session.Rows("items"); len(rows) < 13 {
		t.Errorf("%d rows", len(rows))
	}
}

func TestRefusalsContextsAndEnds(t *testing.T) {
	ctx, client := dial(t)
	var refused *RefusedError
	if _, err := client.Open(ctx, "logni", OpenOptions{}); !errors.As(err, &refused) || refused.Code != CodeUnknownForm {
		t.Error(err)
	}
	session, err := client.Open(ctx, "login", OpenOptions{Keep: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	over, cancel := context.WithCancel(ctx)
	cancel()
	if err := session.Change(over, "email", "kim"); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if err := session.Change(ctx, "email", func() {}); err == nil {
		t.Error("a value that is not JSON was accepted")
	}
	if err := session.Detach(ctx); err != nil {
		t.Error(err)
	}
	if err := session.Change(ctx, "email", "kim"); !errors.Is(err, ErrClosed) {
		t.Error(err)
	}
	again, err := client.Attach(ctx, session.Key(), false)
	if err != nil {
		t.Fatal(err)
	}
	client.Close()
	if err := again.Wait(ctx, func(map[string]any) bool { return false }); !errors.Is(err, ErrClosed) {
		t.Error(err)
	}
	if err := client.Call(ctx, "server/ping", nil, nil); !errors.Is(err, ErrDisconnected) {
		t.Error(err)
	}
}

func Example() {
	ctx := context.Background()
	client, err := Dial(ctx, Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer client.Close()
	session, err := client.Open(ctx, "login", OpenOptions{Locale: "en"})
	if err != nil {
		fmt.Println(err)
		return
	}
	session.Commit(ctx, "email", "kim")
	fmt.Println(session.Document()["messages"])
	session.ChangeAll(ctx, map[string]any{"email": "kim@example.com", "password": "hunter2"})
	event, err := session.TapAndWait(ctx, "login")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(event.Kind)
	// Output:
	// map[email:That is not an email address.]
	// succeeded
}
