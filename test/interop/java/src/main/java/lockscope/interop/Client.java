package lockscope.interop;

/**
 * One instance of a library. Requests for one lock by one of its threads come one after the other,
 * on a thread of their own.
 */
interface Client {
  Answer ask(String op, String name, Options options) throws Exception;

  static IllegalArgumentException unknown(String op) {
    return new IllegalArgumentException("there is no \"" + op + "\" here");
  }
}
