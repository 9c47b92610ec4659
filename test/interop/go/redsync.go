package main

import (
	"context"
	"errors"
	"math"
	"time"

	"github.com/go-redsync/redsync/v4"
	"github.com/go-redsync/redsync/v4/redis/goredis/v9"
	"github.com/redis/go-redis/v9"
)

const redsyncLease = 8 * time.Second

// redsyncClient is a Redlock over one pool. `retryMs` left out = its own pauses of 50 to 250 ms.
type redsyncClient struct {
	redsync *redsync.Redsync
	mutexes held[*redsync.Mutex]
}

func openRedsync(address string) client {
	pool := goredis.NewPool(redis.NewClient(&redis.Options{Addr: address}))
	return &redsyncClient{redsync: redsync.New(pool)}
}

func (c *redsyncClient) mutex(name string, o options, more ...redsync.Option) *redsync.Mutex {
	chosen := append(more, redsync.WithExpiry(o.lease(redsyncLease)), redsync.WithTries(math.MaxInt32))
	if o.RetryMs != nil {
		chosen = append(chosen, redsync.WithRetryDelay(ms(o.RetryMs, 0)))
	}
	if o.SetNX {
		chosen = append(chosen, redsync.WithSetNXOnExtend())
	}
	return c.redsync.NewMutex(name, chosen...)
}

func (c *redsyncClient) keep(name string, mutex *redsync.Mutex) value {
	c.mutexes.put(name, mutex)
	return value{"held": true, "owner": mutex.Value(), "depth": nil}
}

func (c *redsyncClient) acquire(ctx context.Context, name string, o options) (value, error) {
	mutex := c.mutex(name, o)
	ctx, cancel := context.WithTimeout(ctx, o.wait())
	defer cancel()
	if err := mutex.LockContext(ctx); err != nil {
		return nil, notAcquired(err)
	}
	return c.keep(name, mutex), nil
}

func (c *redsyncClient) tryAcquire(ctx context.Context, name string, o options) (value, error) {
	mutex := c.mutex(name, o)
	err := mutex.TryLockContext(ctx)
	var taken *redsync.ErrTaken
	if errors.As(err, &taken) {
		return value{"held": false}, nil
	}
	if err != nil {
		return nil, err
	}
	return c.keep(name, mutex), nil
}

func (c *redsyncClient) release(ctx context.Context, name string, _ options) (value, error) {
	mutex, err := c.mutexes.get(name)
	if err != nil {
		return nil, err
	}
	if released, err := mutex.UnlockContext(ctx); !released {
		return nil, notHeld(err)
	}
	return value{"released": true}, nil
}

// extend gives the lock another lease, which the library knows for a mutex as a whole: another mutex has its value.
func (c *redsyncClient) extend(ctx context.Context, name string, o options) (value, error) {
	before, err := c.mutexes.get(name)
	if err != nil {
		return nil, err
	}
	mutex := c.mutex(name, o, redsync.WithValue(before.Value()))
	if extended, err := mutex.ExtendContext(ctx); !extended {
		return nil, notHeld(err)
	}
	c.mutexes.put(name, mutex)
	return value{"extended": true}, nil
}
