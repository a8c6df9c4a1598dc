/** Timeouts and limits of the clients of a listener. */
export interface HttpLimits {
  /** Timeout of the TLS handshake. Default 10 s. */
  readonly handshakeMs: number;
  /** Timeout of the request headers (HTTP/1.1). Default 30 s. */
  readonly headersMs: number;
  /** Timeout of receiving a whole request including its body (HTTP/1.1). Default 60 s. */
  readonly requestMs: number;
  /** Timeout of connections without requests. Default 3 minutes. */
  readonly idleMs: number;
  /**
   * Timeout of connections that transfer nothing, also while a request is handled. Default 0: none, because a stream may
   * be silent.
   */
  readonly socketMs: number;
  /** Timeout for the next chunk of the discarded body of a rejected request. Default 0.5 s. */
  readonly discardMs: number;
  /** Grace period of running requests while the listener closes. Default 1 s. */
  readonly graceMs: number;
  /** Maximum size of headers and path. Default 64 KiB. */
  readonly headerBytes: number;
  /** Maximum concurrent requests per connection (HTTP/2). Default 1000. */
  readonly streams: number;
  /** Maximum open connections. Default: unlimited. */
  readonly connections: number;
}

/** Default limits. */
export const HTTP_LIMITS: HttpLimits = {
  handshakeMs: 10_000,
  headersMs: 30_000,
  requestMs: 60_000,
  idleMs: 180_000,
  socketMs: 0,
  discardMs: 500,
  graceMs: 1000,
  headerBytes: 64 * 1024,
  streams: 1000,
  connections: Infinity,
};

/** Large enough for the largest object, so that the number of concurrent requests is the limit of a connection. */
const STREAM_MEMORY_MB = 4;

/** Returns the limits as options of Node's servers. Its HTTP/2 server accepts those of HTTP/1.1, which its types omit. */
export function serverOptions(limits: HttpLimits): Readonly<Record<string, unknown>> {
  const headersTimeout = Math.min(limits.headersMs, limits.requestMs);
  return {
    // Without it, the second of two small writes (the first event after the head of a watch) waits 40 ms for the
    // acknowledgement of the first.
    noDelay: true,
    handshakeTimeout: limits.handshakeMs,
    headersTimeout,
    requestTimeout: limits.requestMs,
    connectionsCheckingInterval: Math.min(headersTimeout, 5000),
    keepAliveTimeout: limits.idleMs,
    maxHeaderSize: limits.headerBytes,
    // Above it Node rejects requests and truncates responses. Its default is 10 MB, which is three responses of the
    // largest size.
    maxSessionMemory: limits.streams * STREAM_MEMORY_MB,
    settings: { maxConcurrentStreams: limits.streams, maxHeaderListSize: limits.headerBytes },
  };
}
