"""What the libraries' clients have in common."""

import redis

HOST = '127.0.0.1'
WAIT_MS = 20_000


class NotAcquired(Exception):
    """The library said that it waited and gave up."""


class UnknownOp(Exception):
    """The peer has no such library, or the library no such op."""


def connect(port, options=None):
    """A client of its own on that port, on `options['db']`."""
    return redis.Redis(host=HOST, port=port, db=(options or {}).get('db', 0))


def seconds(ms):
    return None if ms is None else ms / 1000


def held(owner, **more):
    return {'held': True, 'owner': owner, 'depth': None, **more}


def waited_for(has_it, value):
    """Of libraries that return False where others raise."""
    if not has_it:
        raise NotAcquired('it returned False')
    return value()
