// Command peer locks with Go's libraries as it is told: one JSON request a line, one answer a line
// (../protocol.ts).
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"sync"
	"time"
)

type request struct {
	ID      int     `json:"id"`
	Op      string  `json:"op"`
	Library string  `json:"library"`
	Client  string  `json:"client"`
	Name    string  `json:"name"`
	Options options `json:"options"`
}

// options are those of protocol.ts; nil = left out.
type options struct {
	LeaseMs  *int64 `json:"leaseMs"`
	WaitMs   *int64 `json:"waitMs"`
	RetryMs  *int64 `json:"retryMs"`
	Token    string `json:"token"`
	Metadata string `json:"metadata"`
	// SetNX makes an extension take a key that is not there.
	SetNX bool `json:"setNx"`
}

func (o options) lease(fallback time.Duration) time.Duration { return ms(o.LeaseMs, fallback) }
func (o options) wait() time.Duration                        { return ms(o.WaitMs, 20*time.Second) }

func ms(value *int64, fallback time.Duration) time.Duration {
	if value == nil {
		return fallback
	}
	return time.Duration(*value) * time.Millisecond
}

type value map[string]any

// failure is what the library said: `not-acquired` when it waited and gave up, `not-held` when the lock is not its
// own.
type failure struct {
	kind  string
	cause error
}

func (f failure) Error() string { return f.cause.Error() }

func notAcquired(cause error) error { return failure{"not-acquired", cause} }
func notHeld(cause error) error     { return failure{"not-held", cause} }

// client is one client of a library; each op gets the lock's name and returns what the client then knows.
type client interface {
	acquire(ctx context.Context, name string, o options) (value, error)
	tryAcquire(ctx context.Context, name string, o options) (value, error)
	release(ctx context.Context, name string, o options) (value, error)
	extend(ctx context.Context, name string, o options) (value, error)
}

// libraries has the module of each library and what makes its clients.
var libraries = map[string]struct {
	module string
	open   func(address string) client
}{
	"redsync":       {"github.com/go-redsync/redsync/v4", openRedsync},
	"bsm-redislock": {"github.com/bsm/redislock", openRedislock},
}

type peer struct {
	address string
	output  sync.Mutex
	making  sync.Mutex
	clients map[string]client
}

func (p *peer) say(line any) {
	text, err := json.Marshal(line)
	if err != nil {
		panic(err)
	}
	p.output.Lock()
	defer p.output.Unlock()
	fmt.Println(string(text))
}

func (p *peer) clientOf(library, name string) (client, error) {
	found, ok := libraries[library]
	if !ok {
		return nil, fmt.Errorf("there is no library %q here", library)
	}
	instance, _, _ := strings.Cut(name, "/")
	key := library + " " + instance
	p.making.Lock()
	defer p.making.Unlock()
	if p.clients[key] == nil {
		p.clients[key] = found.open(p.address)
	}
	return p.clients[key], nil
}

func (p *peer) run(asked request) (value, error) {
	made, err := p.clientOf(asked.Library, asked.Client)
	if err != nil {
		return nil, err
	}
	ctx := context.Background()
	switch asked.Op {
	case "acquire":
		return made.acquire(ctx, asked.Name, asked.Options)
	case "tryAcquire":
		return made.tryAcquire(ctx, asked.Name, asked.Options)
	case "release":
		return made.release(ctx, asked.Name, asked.Options)
	case "extend":
		return made.extend(ctx, asked.Name, asked.Options)
	}
	return nil, fmt.Errorf("%s has no %q", asked.Library, asked.Op)
}

func (p *peer) answer(asked request) {
	known, err := p.run(asked)
	at := float64(time.Now().UnixMicro()) / 1000
	if err == nil {
		if known == nil {
			known = value{}
		}
		p.say(value{"id": asked.ID, "ok": true, "value": known, "at": at})
		return
	}
	told := failure{"other", err}
	errors.As(err, &told)
	said := value{"kind": told.kind, "name": fmt.Sprintf("%T", told.cause), "message": told.Error()}
	p.say(value{"id": asked.ID, "ok": false, "error": said, "at": at})
}

// versions are those that this program was built with.
func versions() value {
	built, _ := debug.ReadBuildInfo()
	found := value{}
	for name, library := range libraries {
		for _, module := range built.Deps {
			if module.Path == library.module {
				version := strings.TrimPrefix(module.Version, "v")
				found[name] = value{"package": module.Path, "version": version}
			}
		}
	}
	return found
}

func main() {
	p := &peer{address: "127.0.0.1:" + os.Args[1], clients: map[string]client{}}
	p.say(value{"ready": true, "libraries": versions(), "unavailable": value{}})
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		var asked request
		if err := json.Unmarshal(lines.Bytes(), &asked); err != nil {
			fmt.Fprintf(os.Stderr, "%s: %s\n", err, lines.Text())
			continue
		}
		go p.answer(asked)
	}
}
