import threading

from celery import Celery
from celery_once import AlreadyQueued, QueueOnce
from celery_singleton import DuplicateTaskError, Singleton
from kombu.utils.uuid import uuid

from .base import HOST, held

HOUR_MS = 3_600_000


def new_app(name):
    """An application whose queue is in this process; no worker takes what is put in."""
    return Celery(name, broker='memory://', set_as_current=False)


def work(name):
    """What the tasks do."""


class CeleryTask:
    """The lock of a task of the library: taken when it is queued, given back as a worker does after it has run."""

    def __init__(self):
        self.queued = {}

    def acquire(self, name, options):
        task_id = uuid()
        self._queue(name, task_id, options)
        self.queued[name] = task_id
        return self._held(task_id)

    def try_acquire(self, name, options):
        try:
            return self.acquire(name, options)
        except (AlreadyQueued, DuplicateTaskError):
            return {'held': False}


class CeleryOnce(CeleryTask):
    def __init__(self, port):
        super().__init__()
        app = new_app('once')
        app.conf.ONCE = {
            'backend': 'celery_once.backends.Redis',
            'settings': {'url': f'redis://{HOST}:{port}/0', 'default_timeout': HOUR_MS // 1000},
        }
        self.task = app.task(base=QueueOnce, name='it.once')(work)

    def _queue(self, name, task_id, options):
        timeout = options.get('leaseMs', HOUR_MS) // 1000
        self.task.apply_async(args=(name,), task_id=task_id, once={'timeout': timeout})

    def _held(self, _task_id):
        # The token is made by redis-py and told to nobody.
        return held(None)

    def release(self, name, _options):
        self.task.after_return('SUCCESS', None, self.queued[name], (name,), {}, None)


class CelerySingleton(CeleryTask):
    """Its own default is a lock without an end."""

    def __init__(self, port):
        super().__init__()
        app = new_app('singleton')
        app.conf.singleton_backend_url = f'redis://{HOST}:{port}/0'
        app.conf.singleton_raise_on_duplicate = True
        self.task = app.task(base=Singleton, name='it.singleton')(work)
        self.queueing = threading.Lock()

    def _queue(self, name, task_id, options):
        lease = options.get('leaseMs')
        with self.queueing:
            # It knows one expiry for all calls of a task.
            self.task.lock_expiry = None if lease is None else lease // 1000
            self.task.apply_async(args=[name], task_id=task_id)

    def _held(self, task_id):
        return held(task_id)

    def release(self, name, _options):
        self.task.on_success(None, self.queued[name], [name], {})
