from django.conf import settings
from django_redis.cache import RedisCache

from .base import HOST
from .redis_py import RedisPyLocks

if not settings.configured:
    settings.configure()


class DjangoRedis(RedisPyLocks):
    """A cache with the default key function: `KEY_PREFIX:VERSION:NAME`."""

    def __init__(self, port):
        cache = RedisCache(f'redis://{HOST}:{port}/0', {})
        super().__init__(
            lambda name, timeout, sleep: cache.lock(
                name, timeout=timeout, sleep=sleep, thread_local=False
            )
        )
