from pottery import Redlock

from .base import WAIT_MS, connect, held, seconds, waited_for


class Pottery:
    """A Redlock over one server."""

    def __init__(self, port):
        self.client = connect(port)
        self.locks = {}

    def _take(self, name, options, **how):
        lease = seconds(options.get('leaseMs', 10_000))
        lock = Redlock(key=name, masters={self.client}, auto_release_time=lease)
        has_it = lock.acquire(**how)
        if has_it:
            self.locks[name] = lock
        # Its uuid is nobody's but its own.
        return has_it, lambda: held(None)

    def acquire(self, name, options):
        wait = seconds(options.get('waitMs', WAIT_MS))
        return waited_for(*self._take(name, options, timeout=wait))

    def try_acquire(self, name, options):
        has_it, value = self._take(name, options, blocking=False)
        return value() if has_it else {'held': False}

    def release(self, name, _options):
        self.locks[name].release()

    def extend(self, name, options):
        lock = self.locks[name]
        lock.auto_release_time = seconds(options['leaseMs'])
        lock.extend()

    def state(self, name, _options):
        return {'held': self.locks[name].locked() > 0}
