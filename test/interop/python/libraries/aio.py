import asyncio
import threading

from aioredlock import Aioredlock, LockError

from .base import HOST, WAIT_MS, held, seconds

# On average between two of its tries.
PAUSE_MS = 200
LEASE_MS = 10_000


class Aio:
    """Its calls run in a loop of their own. Tries and the lease that is renewed are one for all locks of an instance."""

    def __init__(self, port):
        self.port = port
        self.managers = {}
        self.locks = {}
        self.loop = asyncio.new_event_loop()
        threading.Thread(target=self.loop.run_forever, daemon=True).start()

    def _run(self, coroutine):
        return asyncio.run_coroutine_threadsafe(coroutine, self.loop).result()

    async def _manager(self, tries, lease_ms):
        key = (tries, lease_ms)
        if key not in self.managers:
            connections = [{'host': HOST, 'port': self.port}]
            self.managers[key] = Aioredlock(
                connections, retry_count=tries, internal_lock_timeout=seconds(lease_ms)
            )
        return self.managers[key]

    async def _take(self, name, options, tries):
        lease_ms = options.get('leaseMs', LEASE_MS)
        renews = options.get('renew', False)
        manager = await self._manager(tries, lease_ms if renews else LEASE_MS)
        # A lock without a timeout of its own is renewed.
        lock = await manager.lock(name, None if renews else seconds(lease_ms))
        self.locks[name] = lock
        return held(lock.id)

    def acquire(self, name, options):
        wait_ms = options.get('waitMs', WAIT_MS)
        # Its renewal tries as often.
        tries = 3 if options.get('renew') else max(1, wait_ms // PAUSE_MS)
        return self._run(self._take(name, options, tries))

    def try_acquire(self, name, options):
        try:
            return self._run(self._take(name, options, 1))
        except LockError:
            return {'held': False}

    def release(self, name, _options):
        self._run(self.locks[name].release())

    def extend(self, name, options):
        lock = self.locks[name]
        self._run(lock.lock_manager.extend(lock, seconds(options['leaseMs'])))
        return {'held': lock.valid}
