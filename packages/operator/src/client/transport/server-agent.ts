import type { ClientRequestArgs } from "node:http";
// Not from node:http, whose import also loads the platform's fetch and WebSocket: four megabytes. An agent carries what
// its createConnection makes, so this one serves both protocols.
import { Agent } from "node:https";
import { connect as connectTcp, isIP } from "node:net";
import type { Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { realClock } from "@levelset/core";
import { toError } from "@levelset/core/internal";
import { tunnel } from "./tunnel.ts";
import type { HostPort } from "./tunnel.ts";

const CONNECT_TIMEOUT_MS = 10_000;
/** Keep-alive time of an idle connection. Short, because a load balancer may drop it silently. */
const KEEP_MS = 4_000;
/** Interval of TCP keep-alive probes on connections in use, such as idle watches. */
const PROBE_MS = 30_000;

/** Server address, TLS and proxy of an agent. */
export interface ServerAgentOptions {
  readonly server: URL;
  readonly tls: {
    readonly ca?: string;
    readonly cert?: string;
    readonly key?: string | undefined;
    readonly rejectUnauthorized?: boolean;
    readonly servername?: string;
  };
  readonly proxy: URL | undefined;
}

type Connected = (error: Error | null, socket?: Socket) => void;

/** A Node agent for one server: with or without TLS, directly or through a proxy. */
export class ServerAgent extends Agent {
  readonly #options: ServerAgentOptions;
  readonly #to: HostPort;
  #session: Buffer | undefined;
  #isClosed = false;

  constructor(options: ServerAgentOptions) {
    super({ keepAlive: true, timeout: KEEP_MS });
    this.#options = options;
    this.#to = addressOf(options.server);
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /**
   * Returns a constant name for the one server. Node's implementation would serialize all certificates for each
   * request.
   */
  override getName(): string {
    return "";
  }

  override createConnection(
    _options: ClientRequestArgs,
    callback?: Parameters<Agent["createConnection"]>[1],
  ): Socket | undefined {
    const { proxy } = this.#options;
    if (proxy === undefined) return this.#connect();
    const connected = callback as Connected; // Node always passes the callback, which takes no stream in case of an error.
    tunnel(proxy, this.#to, CONNECT_TIMEOUT_MS).then(
      (through) => (this.#isClosed ? through.destroy() : connected(null, this.#connect(through))),
      (error: unknown) => connected(toError(error)),
    );
    return undefined;
  }

  /** Lets running requests complete, and closes idle connections. */
  retire(): void {
    this.maxFreeSockets = 0;
    for (const sockets of Object.values(this.freeSockets)) for (const socket of sockets ?? []) socket.destroy();
  }

  /** Aborts all requests and closes all connections. */
  close(): void {
    this.#isClosed = true;
    this.destroy();
  }

  #connect(through?: Socket): Socket {
    const { server, tls } = this.#options;
    const { host, port } = this.#to;
    const to = { host, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: PROBE_MS };
    if (server.protocol === "http:") return through ?? limited(connectTcp(to), "connect");
    const socket = connectTls({
      ...(through === undefined ? to : { host, socket: through }),
      servername: isIP(host) === 0 ? host : "",
      ALPNProtocols: ["http/1.1"],
      ...tls,
      ...(this.#session === undefined ? {} : { session: this.#session }),
    });
    socket.on("session", (session) => {
      this.#session = session;
    });
    return limited(socket, "secureConnect");
  }
}

function addressOf({ hostname, port, protocol }: URL): HostPort {
  const host = hostname.replace(/^\[(.*)\]$/u, "$1");
  return { host, port: port === "" ? (protocol === "https:" ? 443 : 80) : Number(port) };
}

/** Adds a connect timeout to a socket. */
function limited(socket: Socket, connected: "connect" | "secureConnect"): Socket {
  const onLate = (): void => {
    socket.destroy(Object.assign(new Error("connection timed out"), { code: "ETIMEDOUT" }));
  };
  const timer = realClock.after(CONNECT_TIMEOUT_MS, onLate);
  socket.once(connected, () => timer.cancel());
  socket.once("close", () => timer.cancel());
  return socket;
}
