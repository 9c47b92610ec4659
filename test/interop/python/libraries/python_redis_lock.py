from redis_lock import Lock

from .base import WAIT_MS, connect, held, waited_for


def whole_seconds(ms):
    return None if ms is None else max(1, int(ms / 1000))


class PythonRedisLock:
    """Its own default is a lock without an end. `id` is the value that the application chooses."""

    def __init__(self, port):
        self.client = connect(port)
        self.locks = {}

    def _take(self, name, options, **how):
        lock = Lock(
            self.client,
            name,
            expire=whole_seconds(options.get('leaseMs')),
            id=options.get('id'),
            auto_renewal=options.get('renew', False),
        )
        has_it = lock.acquire(**how)
        if has_it:
            self.locks[name] = lock
        return has_it, lambda: held(lock.id)

    def acquire(self, name, options):
        """`waitMs` null = without an end. It blocks at a time for no longer than its own lease."""
        timeout = whole_seconds(options.get('waitMs', WAIT_MS))
        lease = whole_seconds(options.get('leaseMs'))
        if timeout and lease and not options.get('renew'):
            timeout = min(timeout, lease)
        return waited_for(*self._take(name, options, timeout=timeout))

    def try_acquire(self, name, options):
        has_it, value = self._take(name, options, blocking=False)
        return value() if has_it else {'held': False}

    def release(self, name, _options):
        self.locks[name].release()

    def extend(self, name, options):
        self.locks[name].extend(whole_seconds(options['leaseMs']))

    def reset(self, name, _options):
        """The library's own forced release, by whoever asks."""
        Lock(self.client, name).reset()
