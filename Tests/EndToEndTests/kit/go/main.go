// The kit's adapter for the Go client: reads one command a line, and writes one report a line.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"os"
	"sync"
	"time"

	"formd"
)

func main() {
	ctx := context.Background()
	lines := bufio.NewScanner(os.Stdin)
	reports := json.NewEncoder(os.Stdout)
	var session *formd.Session
	var mutex sync.Mutex
	events := []int64{}
	for lines.Scan() {
		var command struct{ Do, Socket, Form, Keep, Field, Value, Action string }
		err := json.Unmarshal(lines.Bytes(), &command)
		switch command.Do {
		case "open":
			var client *formd.Client
			client, err = formd.Dial(ctx, formd.Options{Socket: command.Socket})
			if err != nil {
				break
			}
			keep, _ := time.ParseDuration(command.Keep)
			session, err = client.Open(ctx, command.Form, formd.OpenOptions{Keep: keep})
			if err != nil {
				break
			}
			session.Listen(func(change formd.Change) {
				mutex.Lock()
				defer mutex.Unlock()
				for _, event := range change.Events {
					events = append(events, event.Seq)
				}
			})
		case "set":
			err = session.Change(ctx, command.Field, command.Value)
		case "tap":
			_, err = session.Tap(ctx, command.Action)
		}
		report := map[string]any{"error": nameOf(err)}
		if session != nil {
			report["document"] = session.Document()
		}
		mutex.Lock()
		report["events"] = events
		reports.Encode(report)
		mutex.Unlock()
	}
}

func nameOf(err error) any {
	var refused *formd.RefusedError
	switch {
	case err == nil:
		return nil
	case errors.Is(err, formd.ErrUnknown):
		return "unknown"
	case errors.Is(err, formd.ErrClosed), errors.Is(err, formd.ErrDisconnected):
		return "closed"
	case errors.As(err, &refused):
		return refused.Code
	default:
		return err.Error()
	}
}
