package lockscope.interop;

/** The library waited and gave up; it says so by a value. */
final class NotAcquired extends Exception {
  private static final long serialVersionUID = 1;

  NotAcquired(long waitMs) {
    super("not acquired within " + waitMs + " ms");
  }
}
