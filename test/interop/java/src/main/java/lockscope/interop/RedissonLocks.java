package lockscope.interop;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.redisson.Redisson;
import org.redisson.api.RFencedLock;
import org.redisson.api.RLock;
import org.redisson.api.RReadWriteLock;
import org.redisson.api.RedissonClient;

/** Everything of Redisson that is an RLock. Holders are threads. */
final class RedissonLocks implements Client {
  private static final long NO_LEASE = -1;

  /** Makes the lock of that name. */
  private interface Make {
    RLock make(RedissonClient redisson, String name, Options options);
  }

  private record Kind(Make make, boolean counts) {}

  private static final Map<String, Kind> KINDS =
      Map.of(
          "redisson-lock", new Kind((redisson, name, options) -> redisson.getLock(name), true),
          "redisson-fair", new Kind((redisson, name, options) -> redisson.getFairLock(name), true),
          "redisson-spin", new Kind((redisson, name, options) -> redisson.getSpinLock(name), true),
          "redisson-fenced",
              new Kind((redisson, name, options) -> redisson.getFencedLock(name), true),
          "redisson-read-write", new Kind(RedissonLocks::sideOf, true),
          "redisson-multi-lock", new Kind(RedissonLocks::multiLock, false),
          "redisson-faster-multi-lock", new Kind(RedissonLocks::fasterMultiLock, false));

  private final Map<String, RLock> taken = new ConcurrentHashMap<>();
  private final RedissonClient redisson;
  private final Kind kind;

  private RedissonLocks(RedissonClient redisson, Kind kind) {
    this.redisson = redisson;
    this.kind = kind;
  }

  static List<Library> libraries(Redissons redissons) {
    return KINDS.keySet().stream()
        .sorted()
        .map(
            name ->
                new Library(
                    name,
                    "org.redisson:redisson",
                    Redisson.class,
                    instance -> new RedissonLocks(redissons.of(instance), KINDS.get(name))))
        .toList();
  }

  private static RLock sideOf(RedissonClient redisson, String name, Options options) {
    RReadWriteLock lock = redisson.getReadWriteLock(name);
    return options.text("side", "write").equals("read") ? lock.readLock() : lock.writeLock();
  }

  /** {@code keys} locks in one: the name itself where it is one, else `NAME:1` and so on. */
  private static RLock multiLock(RedissonClient redisson, String name, Options options) {
    int keys = (int) options.number("keys", 1);
    if (keys == 1) return redisson.getMultiLock(redisson.getLock(name));
    return redisson.getMultiLock(
        IntStream.rangeClosed(1, keys)
            .mapToObj(key -> redisson.getLock(name + ":" + key))
            .toArray(RLock[]::new));
  }

  /** `values`: what is locked in the group, separated by commas. */
  private static RLock fasterMultiLock(RedissonClient redisson, String name, Options options) {
    return redisson.getMultiLock(name, List.of(options.text("values", "one,two").split(",")));
  }

  @Override
  public Answer ask(String op, String name, Options options) throws Exception {
    String id = Thread.currentThread().getId() + " " + name;
    switch (op) {
      case "acquire", "tryAcquire" -> {
        RLock lock = kind.make().make(redisson, name, options);
        long waitMs = op.equals("acquire") ? options.waitMs() : 0;
        Answer answer = acquire(lock, waitMs, options);
        boolean isHeld = answer.value().get("held").getAsBoolean();
        if (isHeld) taken.put(id, lock);
        else if (waitMs > 0) throw new NotAcquired(waitMs);
        return isHeld ? known(answer, lock, options) : answer;
      }
      case "release" -> {
        taken.get(id).unlock();
        return Answer.now();
      }
      case "state" -> {
        RLock lock = taken.get(id);
        boolean isHeld = lock.isHeldByCurrentThread();
        return Answer.now().with("held", isHeld);
      }
      default -> throw Client.unknown(op);
    }
  }

  private static Answer acquire(RLock lock, long waitMs, Options options)
      throws InterruptedException {
    long leaseMs = options.renew() ? NO_LEASE : options.leaseMs();
    if (lock instanceof RFencedLock fenced) {
      Long fence = fenced.tryLockAndGetToken(waitMs, leaseMs, TimeUnit.MILLISECONDS);
      Answer answer = Answer.now().with("held", fence != null);
      return fence == null ? answer : answer.with("fence", fence.toString());
    }
    boolean isHeld = lock.tryLock(waitMs, leaseMs, TimeUnit.MILLISECONDS);
    return Answer.now().with("held", isHeld);
  }

  private Answer known(Answer answer, RLock lock, Options options) {
    boolean writes = options.text("side", "").equals("write");
    String owner = redisson.getId() + ":" + Thread.currentThread().getId();
    return answer
        .with("owner", writes ? owner + ":write" : owner)
        .with("depth", kind.counts() ? lock.getHoldCount() : null);
  }
}
