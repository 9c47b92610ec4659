import time
import uuid

from redis.lock import Lock

from .base import WAIT_MS, connect, held, seconds, waited_for


def told_of(lock, asked_at):
    """What the application can know: its own clock and the machine's node."""
    node = f'{uuid.getnode():012x}'
    address = ':'.join(node[i : i + 2] for i in range(0, 12, 2))
    return held(lock.local.token.decode(), askedAt=asked_at, node=address)


class RedisPyLocks:
    """Ops on locks of redis-py, which `make` makes. Its own default is a lock without an end."""

    def __init__(self, make):
        self.make = make
        self.locks = {}

    def _take(self, name, options, **how):
        lock = self.make(name, seconds(options.get('leaseMs')), seconds(options.get('retryMs', 100)))
        asked_at = time.time() * 1000
        has_it = lock.acquire(**how)
        if has_it:
            self.locks[name] = lock
        return has_it, lambda: told_of(lock, asked_at)

    def acquire(self, name, options):
        wait = seconds(options.get('waitMs', WAIT_MS))
        return waited_for(*self._take(name, options, blocking_timeout=wait))

    def try_acquire(self, name, options):
        has_it, value = self._take(name, options, blocking=False)
        return value() if has_it else {'held': False}

    def release(self, name, _options):
        self.locks[name].release()

    def extend(self, name, options):
        """The lease anew. `isAdded`: on top of what is left of it, as the library does by default."""
        replace_ttl = not options.get('isAdded', False)
        self.locks[name].extend(seconds(options['leaseMs']), replace_ttl=replace_ttl)

    def reacquire(self, name, _options):
        self.locks[name].reacquire()

    def state(self, name, _options):
        return {'held': self.locks[name].owned()}


class RedisPy(RedisPyLocks):
    def __init__(self, port):
        client = connect(port)
        # Each request has a thread of its own.
        super().__init__(
            lambda name, timeout, sleep: Lock(
                client, name, timeout=timeout, sleep=sleep, thread_local=False
            )
        )
