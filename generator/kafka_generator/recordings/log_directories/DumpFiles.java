import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/**
 * Runs kafka-dump-log on many files in one process, and prints what it printed of each.
 *
 * java DumpFiles.java CLASS LIST: each line of LIST is the arguments of one run, with tabs between them. A line of the
 * output is "ended", or the class of the error that ended the run; a blank; and the standard output in base64.
 */
public class DumpFiles {
  static final class Switch extends OutputStream {
    ByteArrayOutputStream to = new ByteArrayOutputStream();

    @Override
    public void write(int octet) {
      to.write(octet);
    }

    @Override
    public void write(byte[] octets, int from, int count) {
      to.write(octets, from, count);
    }
  }

  public static void main(String[] arguments) throws Exception {
    PrintStream own = System.out;
    Switch output = new Switch();
    System.setOut(new PrintStream(output, true, StandardCharsets.UTF_8));
    System.setErr(new PrintStream(OutputStream.nullOutputStream()));
    Method tool = Class.forName(arguments[0]).getMethod("main", String[].class);
    for (String line : Files.readAllLines(Path.of(arguments[1]))) {
      output.to = new ByteArrayOutputStream();
      String end = "ended";
      try {
        tool.invoke(null, (Object) line.split("\t"));
      } catch (InvocationTargetException error) {
        end = error.getCause().getClass().getSimpleName();
      }
      System.out.flush();
      own.println(end + " " + Base64.getEncoder().encodeToString(output.to.toByteArray()));
    }
    own.flush();
    Runtime.getRuntime().halt(0);
  }
}
