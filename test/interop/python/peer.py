"""Locks with Python's libraries as it is told: one JSON request a line, one answer a line (../protocol.ts)."""

import importlib
import importlib.metadata
import json
import os
import re
import sys
import threading
import time
import traceback

from libraries.base import NotAcquired, UnknownOp

# A library's name, the package it is of, and where its clients are made. A client has a method an op, which gets
# the lock's name and the request's options and returns what the client then knows.
LIBRARIES = {
    'redis-py': ('redis', 'redis_py', 'RedisPy'),
    'django-redis': ('django-redis', 'django_cache', 'DjangoRedis'),
    'python-redis-lock': ('python-redis-lock', 'python_redis_lock', 'PythonRedisLock'),
    'pottery': ('pottery', 'pottery_redlock', 'Pottery'),
    'celery-once': ('celery_once', 'celery_tasks', 'CeleryOnce'),
    'celery-singleton': ('celery-singleton', 'celery_tasks', 'CelerySingleton'),
    'aioredlock': ('aioredlock', 'aio', 'Aio'),
}

# What libraries raise when they waited in vain, and when the lock is not theirs, has no common name.
KIND_BY_OP = {'acquire': 'not-acquired', 'release': 'not-held', 'extend': 'not-held'}
NOT_OF_THE_LOCK = (UnknownOp, TypeError, AttributeError, KeyError, ConnectionError)

output = threading.Lock()


def now():
    """Milliseconds since the epoch, with a fraction."""
    return time.time() * 1000


def say(line):
    text = json.dumps(line)
    with output:
        sys.stdout.write(f'{text}\n')
        sys.stdout.flush()


def load():
    """The classes of the libraries that can be had, their versions, and why the others cannot."""
    classes, versions, unavailable = {}, {}, {}
    for name, (package, module, of) in LIBRARIES.items():
        try:
            classes[name] = getattr(importlib.import_module(f'libraries.{module}'), of)
            version = importlib.metadata.version(package)
            versions[name] = {'package': package, 'version': version}
        except Exception as error:
            unavailable[name] = f'{package} cannot be imported: {error!r}'
    return classes, versions, unavailable


class Clients:
    """One client of a library for each name, made when it is first asked."""

    def __init__(self, classes, port):
        self.classes = classes
        self.port = port
        self.made = {}
        self.making = threading.Lock()

    def of(self, library, name):
        if library not in self.classes:
            raise UnknownOp(f'there is no library "{library}" here')
        with self.making:
            key = (library, name)
            if key not in self.made:
                self.made[key] = self.classes[library](self.port)
            return self.made[key]


def method_of(client, op):
    name = re.sub(r'[A-Z]', lambda letter: f'_{letter[0].lower()}', op)
    method = None if name.startswith('_') else getattr(client, name, None)
    if not callable(method):
        raise UnknownOp(f'{type(client).__name__} has no "{op}"')
    return method


def kind_of(op, error):
    if isinstance(error, NotAcquired):
        return 'not-acquired'
    if isinstance(error, NOT_OF_THE_LOCK):
        return 'other'
    return KIND_BY_OP.get(op, 'other')


def answer(clients, request):
    op = request['op']
    try:
        instance = request['client'].split('/')[0]
        client = clients.of(request['library'], instance)
        value = method_of(client, op)(request['name'], request['options'])
        say({'id': request['id'], 'ok': True, 'value': value or {}, 'at': now()})
    except Exception as error:
        at = now()
        kind = kind_of(op, error)
        if kind == 'other':
            traceback.print_exc()
        told = {'kind': kind, 'name': type(error).__name__, 'message': str(error)}
        say({'id': request['id'], 'ok': False, 'error': told, 'at': at})


def main():
    classes, versions, unavailable = load()
    clients = Clients(classes, int(sys.argv[1]))
    say({'ready': True, 'libraries': versions, 'unavailable': unavailable})
    for line in sys.stdin:
        asked = (clients, json.loads(line))
        threading.Thread(target=answer, args=asked, daemon=True).start()
    # Whatever waits: its threads are not waited for.
    os._exit(0)


if __name__ == '__main__':
    main()
