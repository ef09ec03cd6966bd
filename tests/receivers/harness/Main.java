import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Answers each message of stdin as docs/receivers/Receiver.java does: `STATUS WORKED` a line. */
public final class Main {
    private static final Set<Object> rows = new HashSet<>();
    private static final List<Object> added = new ArrayList<>();
    private static boolean inTransaction = false;

    private static PreparedStatement insert(String statement) {
        if (!statement.startsWith("INSERT INTO received_message (id) ") || !inTransaction)
            throw new IllegalStateException("not that statement in a transaction");
        Object[] id = {null};
        return (PreparedStatement) Proxy.newProxyInstance(Main.class.getClassLoader(), new Class<?>[] {PreparedStatement.class},
            (proxy, method, values) -> switch (method.getName()) {
                case "setString" -> id[0] = values[1];
                case "executeUpdate" -> !rows.contains(id[0]) && added.add(id[0]) ? 1 : 0;
                default -> null;
            });
    }

    /** One table in memory: a transaction's rows count from its commit on. */
    private static final Connection db = (Connection) Proxy.newProxyInstance(
        Main.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, values) -> {
            switch (method.getName()) {
                case "getAutoCommit" -> { return !inTransaction; }
                case "setAutoCommit" -> inTransaction = !(Boolean) values[0];
                case "prepareStatement" -> { return insert((String) values[0]); }
                case "commit" -> { rows.addAll(added); added.clear(); }
                case "rollback" -> added.clear();
                default -> throw new UnsupportedOperationException(method.getName());
            }
            return null;
        });

    public static void main(String[] arguments) throws Exception {
        var lines = new BufferedReader(new InputStreamReader(System.in));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String[] fields = line.split("\t", -1);
            Map<String, String> headers = new HashMap<>();
            for (String field : Arrays.copyOfRange(fields, 3, fields.length)) {
                String[] pair = field.split("=", 2);
                headers.put(pair[0], pair[1]);
            }
            int[] worked = {0};
            int status;
            try {
                status = Receiver.receive(headers, Base64.getDecoder().decode(fields[1]), List.of(fields[2].split("\\|")),
                    Instant.ofEpochSecond(Long.parseLong(fields[0])), db, (connection, body) -> {
                        if (new String(body).contains("fails")) throw new Exception("as the test asks");
                        worked[0]++;
                    });
            } catch (Exception error) {
                status = 500;
            }
            System.out.println(status + " " + worked[0]);
        }
    }
}
