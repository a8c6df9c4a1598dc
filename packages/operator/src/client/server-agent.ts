import type { ClientRequestArgs } from "node:http";
// Not from node:http, whose import also loads the platform's fetch and WebSocket: four megabytes. An agent carries what its
// createConnection makes, so this one serves both protocols.
import { Agent } from "node:https";
import { connect as connectTcp, isIP } from "node:net";
import type { Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { realClock, toError } from "@levelset/core";
import { tunnel } from "./tunnel.ts";
import type { Address } from "./tunnel.ts";

const CONNECT_TIMEOUT_MS = 10_000;
/** How long a connection waits for the next request. Short, for a balancer on the way may drop it without a word. */
const KEEP_MS = 4_000;
/** A connection that is used, but silent, as a watch may be, is probed this often. */
const PROBE_MS = 30_000;

/** A server, and how to get there. */
export interface ServerOptions {
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

/** Node's keeper of connections, for one server: with TLS or without, and through a proxy. */
export class ServerAgent extends Agent {
  readonly #options: ServerOptions;
  readonly #to: Address;
  #session: Buffer | undefined;
  #isClosed = false;

  constructor(options: ServerOptions) {
    super({ keepAlive: true, timeout: KEEP_MS });
    this.#options = options;
    this.#to = addressOf(options.server);
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** One server, one name. Node's own would spell out all certificates for each request. */
  override getName(): string {
    return "";
  }

  override createConnection(
    _options: ClientRequestArgs,
    callback?: Parameters<Agent["createConnection"]>[1],
  ): Socket | undefined {
    const { proxy } = this.#options;
    if (proxy === undefined) return this.#connect();
    const connected = callback as Connected; // It is always there, and wants no stream beside an error.
    tunnel(proxy, this.#to, CONNECT_TIMEOUT_MS).then(
      (through) => (this.#isClosed ? through.destroy() : connected(null, this.#connect(through))),
      (error: unknown) => connected(toError(error)),
    );
    return undefined;
  }

  /** Lets running requests end, and keeps no connection for others. */
  retire(): void {
    this.maxFreeSockets = 0;
    for (const sockets of Object.values(this.freeSockets)) for (const socket of sockets ?? []) socket.destroy();
  }

  /** Ends all requests and closes all connections. */
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

function addressOf({ hostname, port, protocol }: URL): Address {
  const host = hostname.replace(/^\[(.*)\]$/u, "$1");
  return { host, port: port === "" ? (protocol === "https:" ? 443 : 80) : Number(port) };
}

/** A socket that fails unless it is connected in time. */
function limited(socket: Socket, connected: "connect" | "secureConnect"): Socket {
  const onLate = (): void => {
    socket.destroy(Object.assign(new Error("connecting took too long"), { code: "ETIMEDOUT" }));
  };
  const timer = realClock.after(CONNECT_TIMEOUT_MS, onLate);
  socket.once(connected, () => timer.cancel());
  socket.once("close", () => timer.cancel());
  return socket;
}
