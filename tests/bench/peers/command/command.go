// Package command is what the Go service and the sender of commands share.
package command

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
)

// Body of a command.
type Body struct {
	Customer string `json:"customer"`
	Price    int64  `json:"price"`
}

// Path is the one that both know.
const Path = "/v1/commands/charge"

// Sign gives the signature of a request, as docs/commands.md has it.
func Sign(secret []byte, id, at, key string, body []byte) string {
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(id + "." + at + ".POST " + Path + "\n" + key + "\n"))
	mac.Write(body)
	return "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
}
