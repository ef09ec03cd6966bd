// A service that charges once for each key, as one writes it in Go: net/http, go-sql-driver, one transaction per
// request, prepared statements.
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"database/sql"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"net/http"

	"github.com/go-sql-driver/mysql"

	"sluice/bench/peers/command"
)

const duplicate = 1062

type service struct {
	secret                []byte
	db                    *sql.DB
	charge, store, lookUp *sql.Stmt
}

func main() {
	port := flag.Int("port", 0, "")
	source := flag.String("mysql", "", "user:password@tcp(host:port)/database")
	connections := flag.Int("connections", 8, "to MySQL")
	secret := flag.String("secret", "", "")
	flag.Parse()
	db, err := sql.Open("mysql", *source)
	if err != nil {
		log.Fatal(err)
	}
	db.SetMaxOpenConns(*connections)
	db.SetMaxIdleConns(*connections)
	s := service{secret: []byte(*secret), db: db}
	s.charge = s.prepare("UPDATE wallet SET balance = balance - ? WHERE customer = ? AND balance >= ?")
	s.store = s.prepare("INSERT INTO command_key (key_digest, fingerprint, command, caller, caller_key, status, content_type, response, keep_until)" +
		" VALUES (?, ?, 'charge', 'ads', ?, ?, 'application/json', ?, UTC_TIMESTAMP(6) + INTERVAL 72 HOUR)")
	s.lookUp = s.prepare("SELECT fingerprint, status, response FROM command_key WHERE key_digest = ?")
	http.HandleFunc("POST "+command.Path, s.take)
	log.Fatal(http.ListenAndServe(fmt.Sprintf("127.0.0.1:%d", *port), nil))
}

func (s *service) prepare(text string) *sql.Stmt {
	statement, err := s.db.Prepare(text)
	if err != nil {
		log.Fatal(err)
	}
	return statement
}

func (s *service) take(out http.ResponseWriter, in *http.Request) {
	text, err := io.ReadAll(io.LimitReader(in.Body, 65536))
	key := in.Header.Get("Idempotency-Key")
	wanted := command.Sign(s.secret, in.Header.Get("webhook-id"), in.Header.Get("webhook-timestamp"), key, text)
	if err != nil || !hmac.Equal([]byte(wanted), []byte(in.Header.Get("webhook-signature"))) {
		http.Error(out, "who is it?", http.StatusUnauthorized)
		return
	}
	var body command.Body
	if json.Unmarshal(text, &body) != nil || body.Price < 1 {
		http.Error(out, "what is it?", http.StatusBadRequest)
		return
	}
	status, response, err := s.execute(in, key, text, body)
	if err != nil {
		http.Error(out, err.Error(), http.StatusInternalServerError)
		return
	}
	out.Header().Set("Content-Type", "application/json")
	out.WriteHeader(status)
	_, _ = out.Write(response)
}

func (s *service) execute(in *http.Request, key string, text []byte, body command.Body) (int, []byte, error) {
	digest, fingerprint := sha256.Sum256([]byte("ads charge "+key)), sha256.Sum256(text)
	transaction, err := s.db.BeginTx(in.Context(), nil)
	if err != nil {
		return 0, nil, err
	}
	defer transaction.Rollback()
	charged, err := transaction.Stmt(s.charge).Exec(body.Price, body.Customer, body.Price)
	if err != nil {
		return 0, nil, err
	}
	status, response := http.StatusOK, []byte(fmt.Sprintf(`{"charged":%d}`, body.Price))
	if rows, _ := charged.RowsAffected(); rows != 1 {
		status, response = http.StatusConflict, []byte(`{"error":"insufficient_balance"}`)
	}
	_, err = transaction.Stmt(s.store).Exec(digest[:], fingerprint[:], key, status, response)
	var known *mysql.MySQLError
	if errors.As(err, &known) && known.Number == duplicate {
		_ = transaction.Rollback()
		return s.replay(digest[:], fingerprint[:])
	}
	if err != nil {
		return 0, nil, err
	}
	return status, response, transaction.Commit()
}

func (s *service) replay(digest, fingerprint []byte) (int, []byte, error) {
	var first, response []byte
	var status int
	if err := s.lookUp.QueryRow(digest).Scan(&first, &status, &response); err != nil {
		return 0, nil, err
	}
	if string(first) != string(fingerprint) {
		return http.StatusUnprocessableEntity, []byte(`{}`), nil
	}
	return status, response, nil
}
