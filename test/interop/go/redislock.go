package main

import (
	"context"
	"errors"
	"time"

	"github.com/bsm/redislock"
	"github.com/redis/go-redis/v9"
)

const redislockLease = 10 * time.Second

// redislockClient is bsm/redislock. `token` and `metadata` are what the application chooses of the value.
type redislockClient struct {
	redislock *redislock.Client
	locks     held[*redislock.Lock]
}

func openRedislock(address string) client {
	return &redislockClient{redislock: redislock.New(redis.NewClient(&redis.Options{Addr: address}))}
}

func (c *redislockClient) obtain(
	ctx context.Context, name string, o options, retry redislock.RetryStrategy,
) (value, error) {
	chosen := &redislock.Options{RetryStrategy: retry, Metadata: o.Metadata, Token: o.Token}
	lock, err := c.redislock.Obtain(ctx, name, o.lease(redislockLease), chosen)
	if err != nil {
		return nil, err
	}
	c.locks.put(name, lock)
	owner := lock.Token() + lock.Metadata()
	return value{"held": true, "owner": owner, "depth": nil, "metadata": lock.Metadata()}, nil
}

func (c *redislockClient) acquire(ctx context.Context, name string, o options) (value, error) {
	ctx, cancel := context.WithTimeout(ctx, o.wait())
	defer cancel()
	retry := redislock.LinearBackoff(ms(o.RetryMs, 100*time.Millisecond))
	told, err := c.obtain(ctx, name, o, retry)
	if err != nil {
		return nil, notAcquired(err)
	}
	return told, nil
}

func (c *redislockClient) tryAcquire(ctx context.Context, name string, o options) (value, error) {
	told, err := c.obtain(ctx, name, o, redislock.NoRetry())
	if errors.Is(err, redislock.ErrNotObtained) {
		return value{"held": false}, nil
	}
	return told, err
}

func (c *redislockClient) release(ctx context.Context, name string, _ options) (value, error) {
	lock, err := c.locks.get(name)
	if err != nil {
		return nil, err
	}
	if err := lock.Release(ctx); err != nil {
		return nil, notHeld(err)
	}
	return nil, nil
}

func (c *redislockClient) extend(ctx context.Context, name string, o options) (value, error) {
	lock, err := c.locks.get(name)
	if err != nil {
		return nil, err
	}
	if err := lock.Refresh(ctx, o.lease(redislockLease), nil); err != nil {
		return nil, notHeld(err)
	}
	return nil, nil
}
