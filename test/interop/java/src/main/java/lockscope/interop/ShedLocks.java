package lockscope.interop;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.redis.spring.RedisLockProvider;

/** ShedLock never waits: who comes second goes away. {@code atLeastMs} is its lockAtLeastFor. */
final class ShedLocks implements Client {
  private final Map<String, SimpleLock> taken = new ConcurrentHashMap<>();
  private final LockProvider provider;

  private ShedLocks(LockProvider provider) {
    this.provider = provider;
  }

  static List<Library> libraries(int port) {
    return List.of(library("shedlock", port, false), library("shedlock-safe", port, true));
  }

  private static Library library(String name, int port, boolean safeUpdate) {
    return new Library(
        name,
        "net.javacrumbs.shedlock:shedlock-provider-redis-spring",
        RedisLockProvider.class,
        instance ->
            new ShedLocks(
                new RedisLockProvider.Builder(Lettuces.open(port, name + "-" + instance))
                    .safeUpdate(safeUpdate)
                    .build()));
  }

  @Override
  public Answer ask(String op, String name, Options options) throws Exception {
    String id = Thread.currentThread().getId() + " " + name;
    Duration atMost = Duration.ofMillis(options.leaseMs());
    Duration atLeast = Duration.ofMillis(options.number("atLeastMs", 0));
    switch (op) {
      case "acquire", "tryAcquire" -> {
        Optional<SimpleLock> lock =
            provider.lock(new LockConfiguration(Instant.now(), name, atMost, atLeast));
        Answer answer = Answer.now().with("held", lock.isPresent()).with("owner", (String) null);
        lock.ifPresent(held -> taken.put(id, held));
        if (lock.isEmpty() && op.equals("acquire")) throw new NotAcquired(0);
        return answer;
      }
      case "extend" -> {
        Optional<SimpleLock> longer = taken.get(id).extend(atMost, atLeast);
        Answer answer = Answer.now().with("extended", longer.isPresent());
        longer.ifPresent(held -> taken.put(id, held));
        return answer;
      }
      case "release" -> {
        taken.get(id).unlock();
        return Answer.now();
      }
      default -> throw Client.unknown(op);
    }
  }
}
