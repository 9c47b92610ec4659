package lockscope.interop;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;

/** What a request asks for besides its name. Times in ms. */
record Options(JsonObject json) {
  private static final long WAIT_MS = 20_000;

  private boolean has(String name) {
    JsonElement value = json.get(name);
    return value != null && !value.isJsonNull();
  }

  long number(String name, long otherwise) {
    return has(name) ? json.get(name).getAsLong() : otherwise;
  }

  String text(String name, String otherwise) {
    return has(name) ? json.get(name).getAsString() : otherwise;
  }

  long leaseMs() {
    return number("leaseMs", 30_000);
  }

  long waitMs() {
    return number("waitMs", WAIT_MS);
  }

  boolean renew() {
    return has("renew") && json.get("renew").getAsBoolean();
  }
}
