import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.sql.Connection;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public final class Receiver {
    public interface Work { void run(Connection db, byte[] body) throws Exception; }

    static boolean isAuthentic(Map<String, String> headers, byte[] body, List<String> secrets, Instant now)
            throws GeneralSecurityException {
        String id = headers.get("webhook-id"), timestamp = headers.get("webhook-timestamp");
        String signatures = headers.get("webhook-signature");
        if (id == null || timestamp == null || signatures == null || !timestamp.matches("[0-9]{1,12}")) return false;
        if (Math.abs(now.getEpochSecond() - Long.parseLong(timestamp)) > 300) return false;
        boolean found = false;
        for (String secret : secrets) {
            byte[] key = Base64.getDecoder().decode(secret.replaceFirst("^whsec_", ""));
            if (key.length == 0) return false;
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            mac.update((id + "." + timestamp + ".").getBytes(UTF_8));
            byte[] genuine = ("v1," + Base64.getEncoder().encodeToString(mac.doFinal(body))).getBytes(UTF_8);
            for (String one : signatures.split(" ")) found |= MessageDigest.isEqual(genuine, one.getBytes(UTF_8));
        }
        return found;
    }

    /** The status to answer with. An exception is a ROLLBACK: answer 500. */
    public static int receive(Map<String, String> headers, byte[] body, List<String> secrets, Instant now,
                              Connection db, Work work) throws Exception {
        if (!isAuthentic(headers, body, secrets, now)) return 401;
        boolean isAutomatic = db.getAutoCommit();
        db.setAutoCommit(false);
        try (var insert = db.prepareStatement("INSERT INTO received_message (id) VALUES (?) ON CONFLICT DO NOTHING")) {
            insert.setString(1, headers.get("webhook-id"));
            if (insert.executeUpdate() == 1) work.run(db, body);
            db.commit();
            db.setAutoCommit(isAutomatic);
            return 204;
        } catch (Throwable error) {
            db.rollback();
            db.setAutoCommit(isAutomatic);
            throw error;
        }
    }
}
