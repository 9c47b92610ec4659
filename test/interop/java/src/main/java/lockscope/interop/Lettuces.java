package lockscope.interop;

import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Connections of the libraries that build on Spring Data. */
final class Lettuces {
  private Lettuces() {}

  /** {@code name} is what CLIENT LIST calls its connections. */
  static LettuceConnectionFactory open(int port, String name) {
    RedisStandaloneConfiguration server = new RedisStandaloneConfiguration("127.0.0.1", port);
    LettuceClientConfiguration client =
        LettuceClientConfiguration.builder().clientName(name).build();
    LettuceConnectionFactory connections = new LettuceConnectionFactory(server, client);
    connections.afterPropertiesSet();
    connections.start();
    return connections;
  }
}
