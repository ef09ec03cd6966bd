// Sends signed commands with fresh keys over keep-alive connections, one at a time on each, and says as JSON how
// many were answered with 200 and how long they took. With a rate, a command that has to wait for a connection
// takes longer by that.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"slices"
	"strconv"
	"sync"
	"time"

	"sluice/bench/peers/command"
)

var (
	port        = flag.Int("port", 0, "")
	seconds     = flag.Float64("seconds", 3, "")
	connections = flag.Int("connections", 64, "")
	rate        = flag.Float64("rate", 0, "commands a second of all connections; 0: as many as there can be")
	first       = flag.Int("first", 0, "number of the first customer")
	customers   = flag.Int("customers", 1000, "cus_0, cus_1, …")
	run         = flag.String("run", "", "part of each key: another for each run")
	secret      = flag.String("secret", "", "")
)

func main() {
	flag.Parse()
	begin := time.Now()
	end := begin.Add(time.Duration(*seconds * float64(time.Second)))
	took := make([][]time.Duration, *connections)
	var all sync.WaitGroup
	for i := range took {
		all.Add(1)
		go func() {
			defer all.Done()
			took[i] = send(i, begin, end)
		}()
	}
	all.Wait()
	seconds := time.Since(begin).Seconds()
	each := slices.Concat(took...)
	slices.Sort(each)
	_ = json.NewEncoder(os.Stdout).Encode(map[string]any{"executed": len(each), "per_second": float64(len(each)) / seconds,
		"p50_us": part(each, 0.50), "p99_us": part(each, 0.99)})
}

func part(sorted []time.Duration, share float64) int64 {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[int(share*float64(len(sorted)-1))].Microseconds()
}

// due is when a command begins: now, or with a rate its turn.
func due(number, count int, begin time.Time) time.Time {
	if *rate == 0 {
		return time.Now()
	}
	turn := float64(count**connections+number) / *rate
	at := begin.Add(time.Duration(turn * float64(time.Second)))
	time.Sleep(time.Until(at))
	return at
}

func send(number int, begin, end time.Time) []time.Duration {
	connection, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", *port))
	if err != nil {
		log.Fatal(err)
	}
	defer connection.Close()
	in := bufio.NewReader(connection)
	var took []time.Duration
	for at := due(number, 0, begin); at.Before(end); at = due(number, len(took), begin) {
		if _, err := connection.Write(request(number, len(took))); err != nil {
			log.Fatal(err)
		}
		answer, err := http.ReadResponse(in, nil)
		if err != nil {
			log.Fatal(err)
		}
		said, _ := io.ReadAll(answer.Body)
		_ = answer.Body.Close()
		if answer.StatusCode != http.StatusOK {
			log.Fatalf("%d %s", answer.StatusCode, said)
		}
		took = append(took, time.Since(at))
	}
	return took
}

func request(number, count int) []byte {
	id := fmt.Sprintf("%s-%d-%d", *run, number, count)
	key := `"` + id + `"`
	at := strconv.FormatInt(time.Now().Unix(), 10)
	body := fmt.Appendf(nil, `{"customer":"cus_%d","price":1}`, *first+(number*7919+count*31)%*customers)
	return fmt.Appendf(nil, "POST %s HTTP/1.1\r\nHost: bench\r\nContent-Type: application/json\r\nContent-Length: %d\r\nIdempotency-Key: %s\r\n"+
		"Sluice-Caller: ads\r\nwebhook-id: %s\r\nwebhook-timestamp: %s\r\nwebhook-signature: %s\r\n\r\n%s",
		command.Path, len(body), key, id, at, command.Sign([]byte(*secret), id, at, key, body), body)
}
