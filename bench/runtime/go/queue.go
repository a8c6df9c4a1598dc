package main

import (
	"fmt"
	"time"

	"k8s.io/client-go/util/workqueue"
)

const (
	queueKeys   = 100_000
	queueRounds = 5
)

// measureQueue tells how many microseconds an operation of client-go's queue takes: what ../queue.mjs does with ours.
func measureQueue() float64 {
	keys := make([]string, queueKeys)
	for i := range keys {
		keys[i] = fmt.Sprintf("namespace-%d/object-%d", i%100, i)
	}
	best := time.Duration(1<<63 - 1)
	for range queueRounds {
		queue := workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[string]())
		start := time.Now()
		for range 2 {
			for _, key := range keys {
				queue.Add(key)
			}
		}
		for range keys {
			key, _ := queue.Get()
			queue.Forget(key)
			queue.Done(key)
		}
		best = min(best, time.Since(start))
		queue.ShutDown()
	}
	return float64(best.Microseconds()) / float64(5*queueKeys)
}
