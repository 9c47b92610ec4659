package lockscope.interop;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.integration.redis.util.RedisLockRegistry;
import org.springframework.integration.redis.util.RedisLockRegistry.RedisLockType;
import org.springframework.integration.support.locks.DistributedLock;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

/** Spring Integration's registry: to Redis all threads of one are the same; the key is `it:LIBRARY:NAME`. */
final class SpringRegistries implements Client {
  private final Map<String, DistributedLock> taken = new ConcurrentHashMap<>();
  private final RedisLockRegistry registry;
  private final RedisLockRegistry renewing;

  private SpringRegistries(RedisConnectionFactory connections, String library, RedisLockType type) {
    registry = registryOf(connections, library, type);
    renewing = registryOf(connections, library, type);
    ThreadPoolTaskScheduler scheduler = new ThreadPoolTaskScheduler();
    scheduler.setDaemon(true);
    scheduler.initialize();
    renewing.setRenewalTaskScheduler(scheduler);
  }

  private static RedisLockRegistry registryOf(
      RedisConnectionFactory connections, String library, RedisLockType type) {
    RedisLockRegistry made = new RedisLockRegistry(connections, "it:" + library);
    made.setRedisLockType(type);
    return made;
  }

  static List<Library> libraries(int port) {
    return List.of(
        library("spring-registry-spin", port, RedisLockType.SPIN_LOCK),
        library("spring-registry-pubsub", port, RedisLockType.PUB_SUB_LOCK));
  }

  private static Library library(String name, int port, RedisLockType type) {
    return new Library(
        name,
        "org.springframework.integration:spring-integration-redis",
        RedisLockRegistry.class,
        instance ->
            new SpringRegistries(Lettuces.open(port, name + "-" + instance), name, type));
  }

  @Override
  public Answer ask(String op, String name, Options options) throws Exception {
    String id = Thread.currentThread().getId() + " " + name;
    switch (op) {
      case "acquire", "tryAcquire" -> {
        DistributedLock lock = (options.renew() ? renewing : registry).obtain(name);
        long waitMs = op.equals("acquire") ? options.waitMs() : 0;
        Duration lease = Duration.ofMillis(options.leaseMs());
        boolean isHeld = lock.tryLock(Duration.ofMillis(waitMs), lease);
        Answer answer = Answer.now().with("held", isHeld).with("owner", (String) null);
        if (isHeld) taken.put(id, lock);
        else if (waitMs > 0) throw new NotAcquired(waitMs);
        return answer;
      }
      case "extend" -> {
        registry.renewLock(name, Duration.ofMillis(options.leaseMs()));
        return Answer.now().with("extended", true);
      }
      case "release" -> {
        taken.get(id).unlock();
        return Answer.now();
      }
      default -> throw Client.unknown(op);
    }
  }
}
