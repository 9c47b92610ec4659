package lockscope.interop;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** A Redisson client for each instance, whichever kinds of lock it takes: to Redis it is one. */
final class Redissons {
  /** The lease of locks that it renews; a third of it is how often. */
  private static final long WATCHDOG_MS = 1500;

  private final Map<String, RedissonClient> clients = new ConcurrentHashMap<>();
  private final int port;

  Redissons(int port) {
    this.port = port;
  }

  RedissonClient of(String instance) {
    return clients.computeIfAbsent(instance, key -> create());
  }

  private RedissonClient create() {
    Config config = new Config();
    config.setThreads(4).setNettyThreads(4).setLockWatchdogTimeout(WATCHDOG_MS);
    config
        .useSingleServer()
        .setAddress("redis://127.0.0.1:" + port)
        .setConnectionMinimumIdleSize(4)
        .setConnectionPoolSize(24);
    return Redisson.create(config);
  }
}
