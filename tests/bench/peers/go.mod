module sluice/bench/peers

go 1.24.0

require (
	github.com/go-sql-driver/mysql v1.9.3
	github.com/redis/go-redis/v9 v9.17.3
	github.com/redis/rueidis v1.0.69
	github.com/twmb/franz-go v1.20.7
	github.com/valyala/fasthttp v1.66.0
)

require (
	filippo.io/edwards25519 v1.1.0 // indirect
	github.com/andybalholm/brotli v1.2.0 // indirect
	github.com/cespare/xxhash/v2 v2.3.0 // indirect
	github.com/dgryski/go-rendezvous v0.0.0-20200823014737-9f7001d12a5f // indirect
	github.com/klauspost/compress v1.18.4 // indirect
	github.com/pierrec/lz4/v4 v4.1.25 // indirect
	github.com/twmb/franz-go/pkg/kmsg v1.12.0 // indirect
	github.com/valyala/bytebufferpool v1.0.0 // indirect
	golang.org/x/sys v0.36.0 // indirect
)
