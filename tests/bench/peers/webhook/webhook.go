// Package webhook is the work that both services share: options, signature, JSON.
package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"strconv"
	"strings"
	"time"
)

const window = 300 // seconds, to both sides

// Lease is how long a claim lasts.
const Lease = 72 * time.Hour

// Options are the command line of every target of the benchmark.
type Options struct {
	Port, Redis          int
	Kafka, Topic, Secret string
}

// Read parses the command line.
func Read() Options {
	var o Options
	flag.IntVar(&o.Port, "port", 0, "where to listen, on loopback")
	flag.IntVar(&o.Redis, "redis", 0, "port of Redis")
	flag.StringVar(&o.Kafka, "kafka", "", "bootstrap server")
	flag.StringVar(&o.Topic, "topic", "", "where events go")
	flag.StringVar(&o.Secret, "secret", "", "of the signatures")
	flag.Parse()
	return o
}

// Listen is the address to serve on.
func (o Options) Listen() string { return fmt.Sprintf("127.0.0.1:%d", o.Port) }

// RedisAddress is the address of Redis.
func (o Options) RedisAddress() string { return fmt.Sprintf("127.0.0.1:%d", o.Redis) }

// Event is what the body says of itself.
type Event struct {
	ID   string `json:"id"`
	Data struct {
		Object struct {
			ID string `json:"id"`
		} `json:"object"`
	} `json:"data"`
}

var errUnsigned = errors.New("the signature does not verify")

// Verify checks time window and signature over the raw body, in constant time.
func Verify(secret []byte, header string, body []byte) error {
	stamp, claimed := "", ""
	for _, part := range strings.Split(header, ",") {
		name, value, _ := strings.Cut(part, "=")
		switch name {
		case "t":
			stamp = value
		case "v1":
			claimed = value
		}
	}
	seconds, err := strconv.ParseInt(stamp, 10, 64)
	if err != nil {
		return errUnsigned
	}
	if age := time.Now().Unix() - seconds; age > window || age < -window {
		return errUnsigned
	}
	theirs, err := hex.DecodeString(claimed)
	if err != nil {
		return errUnsigned
	}
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(stamp))
	mac.Write([]byte("."))
	mac.Write(body)
	if !hmac.Equal(mac.Sum(nil), theirs) {
		return errUnsigned
	}
	return nil
}

// Parse reads id and object.
func Parse(body []byte) (Event, error) {
	var event Event
	if err := json.Unmarshal(body, &event); err != nil {
		return event, err
	}
	if event.ID == "" || event.Data.Object.ID == "" {
		return event, errors.New("no id")
	}
	return event, nil
}
