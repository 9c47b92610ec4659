package lockscope.interop;

import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.time.Instant;

/** What a client knows at {@code at} (epoch ms): made as soon as the library's call has returned. */
record Answer(JsonObject value, double at) {
  static Answer now() {
    return new Answer(new JsonObject(), clock());
  }

  static double clock() {
    Instant now = Instant.now();
    return now.getEpochSecond() * 1000.0 + now.getNano() / 1e6;
  }

  Answer with(String name, String text) {
    return with(name, text == null ? JsonNull.INSTANCE : new JsonPrimitive(text));
  }

  Answer with(String name, Number number) {
    return with(name, number == null ? JsonNull.INSTANCE : new JsonPrimitive(number));
  }

  Answer with(String name, boolean flag) {
    return with(name, new JsonPrimitive(flag));
  }

  Answer with(String name, JsonElement element) {
    value.add(name, element);
    return this;
  }
}
