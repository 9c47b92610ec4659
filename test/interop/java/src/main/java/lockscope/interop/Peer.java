package lockscope.interop;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ConcurrentModificationException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;

/** Locks with real libraries on the Redis at the port that it is given, as test/interop/README.md says. */
public final class Peer {
  private final Map<String, Library> libraries = new LinkedHashMap<>();
  private final Map<String, Client> clients = new ConcurrentHashMap<>();
  private final Map<String, ExecutorService> threads = new ConcurrentHashMap<>();

  private Peer(int port) {
    Redissons redissons = new Redissons(port);
    Stream.of(
            RedissonLocks.libraries(redissons),
            RedissonCounters.libraries(redissons),
            ShedLocks.libraries(port),
            SpringRegistries.libraries(port))
        .flatMap(List::stream)
        .forEach(library -> libraries.put(library.name(), library));
  }

  public static void main(String[] args) throws IOException {
    Peer peer = new Peer(Integer.parseInt(args[0]));
    peer.sayReady();
    InputStreamReader stdin = new InputStreamReader(System.in, StandardCharsets.UTF_8);
    BufferedReader lines = new BufferedReader(stdin);
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      peer.take(JsonParser.parseString(line).getAsJsonObject());
    }
    // No clean end: threads that wait for a lock leave behind what those of a dead process do.
    Runtime.getRuntime().halt(0);
  }

  private void sayReady() {
    JsonObject had = new JsonObject();
    for (Library library : libraries.values()) {
      JsonObject artifact = new JsonObject();
      artifact.addProperty("package", library.artifact());
      artifact.addProperty("version", library.version());
      had.add(library.name(), artifact);
    }
    JsonObject ready = new JsonObject();
    ready.addProperty("ready", true);
    ready.add("libraries", had);
    ready.add("unavailable", new JsonObject());
    say(ready);
  }

  private static synchronized void say(JsonObject line) {
    System.out.println(line);
  }

  /**
   * A thread for each lock, so that one that waits keeps nobody from another; what a library locks
   * by thread stays with it.
   */
  private void take(JsonObject request) {
    String client = request.get("client").getAsString();
    String thread = client.contains("/") ? client : client + "/1";
    String lock = textOf(request, "library") + " " + thread + " " + textOf(request, "name");
    threads
        .computeIfAbsent(lock, key -> Executors.newSingleThreadExecutor())
        .submit(() -> answer(request, client.split("/")[0]));
  }

  private void answer(JsonObject request, String instance) {
    JsonObject line = new JsonObject();
    line.add("id", request.get("id"));
    String op = textOf(request, "op");
    try {
      Client client = clientOf(textOf(request, "library"), instance);
      Options options = new Options(request.getAsJsonObject("options"));
      Answer answer = client.ask(op, textOf(request, "name"), options);
      line.addProperty("ok", true);
      line.add("value", answer.value());
      line.addProperty("at", answer.at());
    } catch (Throwable error) {
      line.addProperty("ok", false);
      line.add("error", errorOf(op, error));
      line.addProperty("at", Answer.clock());
    }
    say(line);
  }

  private Client clientOf(String name, String instance) {
    Library library = libraries.get(name);
    if (library == null) throw new IllegalArgumentException("there is no library " + name);
    String id = name + " " + instance;
    return clients.computeIfAbsent(id, key -> library.open().apply(instance));
  }

  private static String textOf(JsonObject request, String name) {
    return request.get(name).getAsString();
  }

  private static JsonObject errorOf(String op, Throwable error) {
    JsonObject told = new JsonObject();
    told.addProperty("kind", kindOf(op, error));
    told.addProperty("name", error.getClass().getSimpleName());
    told.addProperty("message", String.valueOf(error.getMessage()));
    return told;
  }

  /** What libraries throw when somebody gives back a lock that is not theirs has no common class. */
  private static String kindOf(String op, Throwable error) {
    if (error instanceof NotAcquired) return "not-acquired";
    boolean givesBack = op.equals("release") || op.equals("extend");
    // Redisson wraps what its semaphores throw.
    boolean isRefusal = isRefusal(error) || isRefusal(error.getCause());
    return givesBack && isRefusal ? "not-held" : "other";
  }

  private static boolean isRefusal(Throwable error) {
    return error instanceof IllegalMonitorStateException
        || error instanceof IllegalArgumentException
        || error instanceof IllegalStateException
        || error instanceof ConcurrentModificationException;
  }
}
