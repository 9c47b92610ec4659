package lockscope.interop;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.redisson.Redisson;
import org.redisson.api.RCountDownLatch;
import org.redisson.api.RPermitExpirableSemaphore;
import org.redisson.api.RSemaphore;
import org.redisson.api.RedissonClient;

/** What Redisson counts with: semaphores and a latch. Holders are nobody, or the permits themselves. */
final class RedissonCounters {
  private RedissonCounters() {}

  static List<Library> libraries(Redissons redissons) {
    return List.of(
        library("redisson-semaphore", instance -> new Semaphore(redissons.of(instance))),
        library("redisson-permits", instance -> new Permits(redissons.of(instance))),
        library("redisson-latch", instance -> new Latch(redissons.of(instance))));
  }

  private static Library library(String name, Function<String, Client> open) {
    return new Library(name, "org.redisson:redisson", Redisson.class, open);
  }

  private record Semaphore(RedissonClient redisson) implements Client {
    @Override
    public Answer ask(String op, String name, Options options) throws Exception {
      RSemaphore semaphore = redisson.getSemaphore(name);
      int permits = (int) options.number("permits", 1);
      switch (op) {
        case "acquire" -> {
          semaphore.trySetPermits((int) options.number("limit", 1));
          long waitMs = options.waitMs();
          if (!semaphore.tryAcquire(permits, waitMs, TimeUnit.MILLISECONDS)) {
            throw new NotAcquired(waitMs);
          }
          return Answer.now().with("held", true).with("owner", (String) null);
        }
        case "release" -> {
          semaphore.release(permits);
          return Answer.now();
        }
        case "state" -> {
          int free = semaphore.availablePermits();
          return Answer.now().with("free", free);
        }
        default -> throw Client.unknown(op);
      }
    }
  }

  private record Permits(RedissonClient redisson, Map<String, String> taken) implements Client {
    Permits(RedissonClient redisson) {
      this(redisson, new ConcurrentHashMap<>());
    }

    @Override
    public Answer ask(String op, String name, Options options) throws Exception {
      RPermitExpirableSemaphore semaphore = redisson.getPermitExpirableSemaphore(name);
      String id = Thread.currentThread().getId() + " " + name;
      switch (op) {
        case "acquire" -> {
          semaphore.trySetPermits((int) options.number("limit", 1));
          long waitMs = options.waitMs();
          String permit =
              semaphore.tryAcquire(waitMs, options.leaseMs(), TimeUnit.MILLISECONDS);
          Answer answer = Answer.now().with("held", permit != null).with("owner", permit);
          if (permit == null) throw new NotAcquired(waitMs);
          taken.put(id, permit);
          return answer;
        }
        case "extend" -> {
          boolean isExtended =
              semaphore.updateLeaseTime(taken.get(id), options.leaseMs(), TimeUnit.MILLISECONDS);
          return Answer.now().with("extended", isExtended);
        }
        case "release" -> {
          semaphore.release(taken.get(id));
          return Answer.now();
        }
        case "state" -> {
          int free = semaphore.availablePermits();
          return Answer.now().with("free", free);
        }
        default -> throw Client.unknown(op);
      }
    }
  }

  /** `acquire` sets the latch where it is not set, and awaits it otherwise; `release` counts it down. */
  private record Latch(RedissonClient redisson) implements Client {
    @Override
    public Answer ask(String op, String name, Options options) throws Exception {
      RCountDownLatch latch = redisson.getCountDownLatch(name);
      switch (op) {
        case "acquire" -> {
          if (latch.trySetCount(options.number("count", 1))) {
            return Answer.now().with("held", true).with("owner", (String) null);
          }
          long waitMs = options.waitMs();
          if (!latch.await(waitMs, TimeUnit.MILLISECONDS)) throw new NotAcquired(waitMs);
          return Answer.now().with("held", false);
        }
        case "release" -> {
          latch.countDown();
          return Answer.now();
        }
        default -> throw Client.unknown(op);
      }
    }
  }
}
