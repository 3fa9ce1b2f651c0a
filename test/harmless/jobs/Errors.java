// Exceptions, a thread, too deep a recursion and a null pointer, which Java learns of by a signal.
import java.util.*;
import java.util.stream.*;

public class Errors {
  static int depth;
  static void down() { depth++; down(); }
  public static void main(String[] args) throws Exception {
    int caught = 0;
    for (int n = 0; n < 20; n++) try { if (n % 2 == 1) throw new IllegalStateException("" + n); } catch (IllegalStateException e) { caught += Integer.parseInt(e.getMessage()); }
    System.out.println(caught);
    try { String s = args.length > 9 ? "" : null; s.length(); } catch (NullPointerException e) { System.out.println("null"); }
    try { down(); } catch (StackOverflowError e) { System.out.println("too deep"); }
    int[] result = new int[1];
    Thread thread = new Thread(() -> result[0] = IntStream.range(0, 50).sum());
    thread.start();
    thread.join();
    System.out.println(result[0] + " " + List.of(3, 1, 2).stream().sorted().collect(Collectors.toList()));
    System.exit(5);
  }
}
