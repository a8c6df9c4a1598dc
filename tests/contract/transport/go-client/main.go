// Sends the transfers that a file lists with net/http, over connections that are kept, and reports each one as a line of JSON.
// Usage: go-client PLAN CA-FILE TOKEN-FILE CONCURRENCY http1|http2
package main

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
)

// transfer is one request. Its body and its response are files.
type transfer struct {
	Method      string `json:"method"`
	URL         string `json:"url"`
	ContentType string `json:"contentType"`
	Body        string `json:"body"`
	Response    string `json:"response"`
}

// report is the result of one transfer.
type report struct {
	Response string `json:"response"`
	Status   int    `json:"status"`
	Protocol string `json:"protocol"`
	Error    string `json:"error"`
}

func main() {
	plan, ca, token := read(os.Args[1]), read(os.Args[2]), strings.TrimSpace(string(read(os.Args[3])))
	concurrency, err := strconv.Atoi(os.Args[4])
	check(err)
	var groups [][]transfer
	check(json.Unmarshal(plan, &groups))
	client := newClient(ca, concurrency, os.Args[5] == "http2")
	queue := make(chan []transfer)
	var output sync.Mutex
	var workers sync.WaitGroup
	for range concurrency {
		workers.Go(func() {
			for group := range queue {
				for _, each := range group {
					line, err := json.Marshal(send(client, token, each))
					check(err)
					output.Lock()
					fmt.Println(string(line))
					output.Unlock()
				}
			}
		})
	}
	for _, group := range groups {
		queue <- group
	}
	close(queue)
	workers.Wait()
}

func newClient(ca []byte, concurrency int, isHTTP2 bool) *http.Client {
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(ca) {
		panic("the CA file holds no certificate")
	}
	var protocols http.Protocols
	protocols.SetHTTP1(!isHTTP2)
	protocols.SetHTTP2(isHTTP2)
	return &http.Client{Transport: &http.Transport{
		TLSClientConfig:     &tls.Config{RootCAs: roots},
		Protocols:           &protocols,
		MaxIdleConnsPerHost: concurrency,
		MaxConnsPerHost:     concurrency,
		DisableCompression:  true,
	}}
}

func send(client *http.Client, token string, each transfer) report {
	failed := func(err error) report { return report{Response: each.Response, Error: err.Error()} }
	var body io.Reader
	if each.Body != "" {
		body = bytes.NewReader(read(each.Body))
	}
	request, err := http.NewRequest(each.Method, each.URL, body)
	if err != nil {
		return failed(err)
	}
	// Go repeats a request that it considers idempotent after a lost connection; such a loss must be seen.
	request.GetBody = nil
	request.Header.Set("authorization", "Bearer "+token)
	if each.ContentType != "" {
		request.Header.Set("content-type", each.ContentType)
	}
	response, err := client.Do(request)
	if err != nil {
		return failed(err)
	}
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	if err != nil {
		return failed(err)
	}
	check(os.WriteFile(each.Response, content, 0o600))
	return report{Response: each.Response, Status: response.StatusCode, Protocol: response.Proto}
}

func read(path string) []byte {
	content, err := os.ReadFile(path)
	check(err)
	return content
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
