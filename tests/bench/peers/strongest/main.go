// The strongest service that Go libraries give: fasthttp, rueidis (which pipelines by itself), franz-go.
package main

import (
	"context"
	"log"

	"github.com/redis/rueidis"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/valyala/fasthttp"

	"sluice/bench/peers/webhook"
)

type service struct {
	options webhook.Options
	redis   rueidis.Client
	kafka   *kgo.Client
}

func main() {
	options := webhook.Read()
	kafka, err := kgo.NewClient(kgo.SeedBrokers(options.Kafka), kgo.DefaultProduceTopic(options.Topic),
		kgo.RequiredAcks(kgo.AllISRAcks()), kgo.ProducerLinger(0), kgo.ProducerBatchCompression(kgo.NoCompression()))
	if err != nil {
		log.Fatal(err)
	}
	redis, err := rueidis.NewClient(rueidis.ClientOption{
		InitAddress: []string{options.RedisAddress()}, DisableCache: true, AlwaysPipelining: true})
	if err != nil {
		log.Fatal(err)
	}
	if err := kafka.Ping(context.Background()); err != nil {
		log.Fatal(err)
	}
	s := service{options, redis, kafka}
	server := fasthttp.Server{Handler: s.take, NoDefaultDate: true, NoDefaultServerHeader: true}
	log.Fatal(server.ListenAndServe(options.Listen()))
}

func (s service) take(ctx *fasthttp.RequestCtx) {
	body := ctx.PostBody()
	if webhook.Verify([]byte(s.options.Secret), string(ctx.Request.Header.Peek("Stripe-Signature")), body) != nil {
		ctx.SetStatusCode(fasthttp.StatusBadRequest)
		return
	}
	event, err := webhook.Parse(body)
	if err != nil {
		ctx.SetStatusCode(fasthttp.StatusBadRequest)
		return
	}
	claim := s.redis.B().Set().Key("wh:" + event.ID).Value("1").Nx().Px(webhook.Lease).Build()
	err = s.redis.Do(context.Background(), claim).Error()
	if rueidis.IsRedisNil(err) {
		ctx.SetStatusCode(fasthttp.StatusOK)
		return
	}
	record := &kgo.Record{Key: []byte(event.Data.Object.ID), Value: body}
	if err := s.kafka.ProduceSync(context.Background(), record).FirstErr(); err != nil {
		ctx.SetStatusCode(fasthttp.StatusServiceUnavailable)
		return
	}
	ctx.SetStatusCode(fasthttp.StatusOK)
}
