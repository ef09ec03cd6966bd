// The service that most Go teams would write: net/http, go-redis, franz-go.
package main

import (
	"context"
	"io"
	"log"
	"net/http"

	"github.com/redis/go-redis/v9"
	"github.com/twmb/franz-go/pkg/kgo"

	"sluice/bench/peers/webhook"
)

type service struct {
	options webhook.Options
	redis   *redis.Client
	kafka   *kgo.Client
}

func main() {
	options := webhook.Read()
	kafka, err := kgo.NewClient(kgo.SeedBrokers(options.Kafka), kgo.DefaultProduceTopic(options.Topic),
		kgo.RequiredAcks(kgo.AllISRAcks()), kgo.ProducerLinger(0), kgo.ProducerBatchCompression(kgo.NoCompression()))
	if err != nil {
		log.Fatal(err)
	}
	s := service{options, redis.NewClient(&redis.Options{Addr: options.RedisAddress()}), kafka}
	if err := kafka.Ping(context.Background()); err != nil {
		log.Fatal(err)
	}
	log.Fatal(http.ListenAndServe(options.Listen(), http.HandlerFunc(s.take)))
}

func (s service) take(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(io.LimitReader(r.Body, 1<<20))
	if err != nil || webhook.Verify([]byte(s.options.Secret), r.Header.Get("Stripe-Signature"), body) != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	event, err := webhook.Parse(body)
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	fresh, err := s.redis.SetNX(r.Context(), "wh:"+event.ID, "1", webhook.Lease).Result()
	if err == nil && !fresh {
		w.WriteHeader(http.StatusOK)
		return
	}
	record := &kgo.Record{Key: []byte(event.Data.Object.ID), Value: body}
	if err := s.kafka.ProduceSync(r.Context(), record).FirstErr(); err != nil {
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	w.WriteHeader(http.StatusOK)
}
