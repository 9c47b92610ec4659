package main

import (
	"fmt"
	"sync"
)

// held keeps what the library returned for each name.
type held[T any] struct {
	mutex sync.Mutex
	locks map[string]T
}

func (h *held[T]) put(name string, lock T) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	if h.locks == nil {
		h.locks = map[string]T{}
	}
	h.locks[name] = lock
}

func (h *held[T]) get(name string) (T, error) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	lock, ok := h.locks[name]
	if !ok {
		return lock, fmt.Errorf("this client never had %q", name)
	}
	return lock, nil
}
