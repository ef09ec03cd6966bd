// Answers each message of stdin as docs/receivers/receiver.go does: `STATUS WORKED` a line.
package main

import (
	"bufio"
	"database/sql"
	"database/sql/driver"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	"receivers/receiver"
)

// One table in memory, as database/sql sees it: a transaction's rows count from its Commit on.
type table struct{ rows, added map[string]bool }

func (t *table) Open(string) (driver.Conn, error)            { return t, nil }
func (t *table) Prepare(string) (driver.Stmt, error)         { return nil, errors.New("not needed") }
func (t *table) Close() error                                { return nil }
func (t *table) Begin() (driver.Tx, error)                   { t.added = map[string]bool{}; return t, nil }
func (t *table) Rollback() error                             { t.added = nil; return nil }
func (t *table) Commit() error {
	for id := range t.added {
		t.rows[id] = true
	}
	return nil
}
func (t *table) Exec(statement string, values []driver.Value) (driver.Result, error) {
	id := values[0].(string)
	if !strings.HasPrefix(statement, "INSERT INTO received_message (id) ") || t.added == nil {
		return nil, errors.New("not that statement in a transaction")
	}
	if t.rows[id] {
		return driver.RowsAffected(0), nil
	}
	t.added[id] = true
	return driver.RowsAffected(1), nil
}

func main() {
	sql.Register("memory", &table{rows: map[string]bool{}})
	db, _ := sql.Open("memory", "")
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		fields := strings.Split(lines.Text(), "\t")
		now, _ := strconv.ParseInt(fields[0], 10, 64)
		body, _ := base64.StdEncoding.DecodeString(fields[1])
		headers := http.Header{}
		for _, field := range fields[3:] {
			name, value, _ := strings.Cut(field, "=")
			headers.Set(name, value)
		}
		worked := 0
		work := func(_ *sql.Tx, told []byte) error {
			if strings.Contains(string(told), "fails") {
				return errors.New("as the test asks")
			}
			worked++
			return nil
		}
		status, err := receiver.Receive(headers, body, strings.Split(fields[2], "|"), time.Unix(now, 0), db, work)
		if err != nil {
			status = http.StatusInternalServerError
		}
		fmt.Println(status, worked)
	}
}
