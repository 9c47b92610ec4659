package lockscope.interop;

import java.nio.file.Path;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A library by its name in the requests. {@code artifact} is the Maven artifact, of which
 * {@code from} is a class; {@code open} makes the client of one instance of it.
 */
record Library(String name, String artifact, Class<?> from, Function<String, Client> open) {
  /** As its jar's name says. */
  String version() {
    Path jar = Path.of(from.getProtectionDomain().getCodeSource().getLocation().getPath());
    Pattern named = Pattern.compile(".*-(\\d[^/]*)\\.jar");
    Matcher version = named.matcher(jar.getFileName().toString());
    return version.matches() ? version.group(1) : "";
  }
}
