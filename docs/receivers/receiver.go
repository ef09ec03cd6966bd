package receiver

import (
	"crypto/hmac"
	"crypto/sha256"
	"database/sql"
	"encoding/base64"
	"net/http"
	"strconv"
	"strings"
	"time"
)

func isAuthentic(headers http.Header, body []byte, secrets []string, now time.Time) bool {
	id, timestamp := headers.Get("webhook-id"), headers.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if id == "" || err != nil || now.Sub(time.Unix(seconds, 0)).Abs() > 5*time.Minute {
		return false
	}
	for _, secret := range secrets {
		key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
		if err != nil || len(key) == 0 {
			return false
		}
		mac := hmac.New(sha256.New, key)
		mac.Write([]byte(id + "." + timestamp + "." + string(body)))
		genuine := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
		for _, one := range strings.Split(headers.Get("webhook-signature"), " ") {
			if hmac.Equal([]byte(one), []byte(genuine)) {
				return true
			}
		}
	}
	return false
}

// Receive gives the status to answer with. An error is a ROLLBACK: answer 500.
func Receive(headers http.Header, body []byte, secrets []string, now time.Time, db *sql.DB, work func(*sql.Tx, []byte) error) (int, error) {
	if !isAuthentic(headers, body, secrets, now) {
		return http.StatusUnauthorized, nil
	}
	tx, err := db.Begin()
	if err != nil {
		return 0, err
	}
	defer tx.Rollback() // of what was not committed
	added, err := tx.Exec("INSERT INTO received_message (id) VALUES (?) ON CONFLICT DO NOTHING", headers.Get("webhook-id"))
	if err != nil {
		return 0, err
	}
	if rows, err := added.RowsAffected(); err != nil {
		return 0, err
	} else if rows == 1 {
		if err := work(tx, body); err != nil {
			return 0, err
		}
	}
	if err := tx.Commit(); err != nil {
		return 0, err
	}
	return http.StatusNoContent, nil
}
