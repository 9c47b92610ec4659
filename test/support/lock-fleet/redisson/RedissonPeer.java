import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.redisson.Redisson;
import org.redisson.api.RFencedLock;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/**
 * Locks with Redisson as it is told on stdin, one line each, separated by tabs: id, actor, verb, kind, name.
 * Answers on stdout: id, "ok" or "error", value. Each actor is a thread, as Redisson tells holders apart.
 */
public class RedissonPeer {
  private final RedissonClient redisson;
  private final Map<String, ExecutorService> actors = new ConcurrentHashMap<>();

  RedissonPeer(String port) {
    Config config = new Config();
    config.setLockWatchdogTimeout(3_000);
    config
        .useSingleServer()
        .setAddress("redis://127.0.0.1:" + port)
        .setConnectionMinimumIdleSize(2)
        .setConnectionPoolSize(16);
    redisson = Redisson.create(config);
  }

  public static void main(String[] args) throws Exception {
    RedissonPeer peer = new RedissonPeer(args[0]);
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
    say("0\tok\tready");
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      String[] words = line.split("\t");
      peer.actors
          .computeIfAbsent(words[1], actor -> Executors.newSingleThreadExecutor())
          .submit(() -> peer.answer(words));
    }
    // The parent has closed the channel; threads that still wait for a lock do not count.
    System.exit(0);
  }

  private static synchronized void say(String line) {
    System.out.println(line);
  }

  private void answer(String[] words) {
    try {
      say(words[0] + "\tok\t" + act(words[2], words[3], words[4]));
    } catch (Throwable error) {
      say(words[0] + "\terror\t" + error);
    }
  }

  private RLock lockOf(String kind, String name) {
    switch (kind) {
      case "fair":
        return redisson.getFairLock(name);
      case "fenced":
        return redisson.getFencedLock(name);
      case "read":
        return redisson.getReadWriteLock(name).readLock();
      case "write":
        return redisson.getReadWriteLock(name).writeLock();
      default:
        return redisson.getLock(name);
    }
  }

  private Object act(String verb, String kind, String name) {
    RLock lock = lockOf(kind, name);
    switch (verb) {
      case "lock":
        if (lock instanceof RFencedLock) return ((RFencedLock) lock).lockAndGetToken();
        lock.lock();
        return true;
      case "tryLock":
        return lock.tryLock();
      case "unlock":
        lock.unlock();
        return true;
      default:
        throw new IllegalArgumentException(verb);
    }
  }
}
