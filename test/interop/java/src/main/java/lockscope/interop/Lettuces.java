package lockscope.interop;

import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Connections of the libraries that build on Spring Data. */
final class Lettuces {
  private Lettuces() {}

  static LettuceConnectionFactory open(int port) {
    RedisStandaloneConfiguration server = new RedisStandaloneConfiguration("127.0.0.1", port);
    LettuceConnectionFactory connections = new LettuceConnectionFactory(server);
    connections.afterPropertiesSet();
    connections.start();
    return connections;
  }
}
