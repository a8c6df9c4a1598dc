import { Agent, request } from "node:http";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import type { Problem, WireResource, WireResourceList, WireStatus, WireStatusList } from "./wire.ts";

/** Base path of the API. */
export const API_BASE = "/api/hyperfleet/v1";

/** Request headers. A list is sent as several headers. */
export type Headers = Readonly<Record<string, string | readonly string[]>>;

/** A completely read response. */
export class FleetResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;

  constructor(status: number, headers: IncomingHttpHeaders, text: string) {
    this.status = status;
    this.headers = headers;
    this.text = text;
  }

  get json(): unknown {
    return JSON.parse(this.text);
  }

  // The shape is not validated here: tests compare the members, so a wrong shape fails there.
  get resource(): WireResource {
    return this.json as WireResource;
  }

  get resources(): WireResourceList {
    return this.json as WireResourceList;
  }

  get reported(): WireStatus {
    return this.json as WireStatus;
  }

  get statuses(): WireStatusList {
    return this.json as WireStatusList;
  }

  get problem(): Problem {
    return this.json as Problem;
  }

  /** `404 HYPERFLEET-NTF-001` without the prefix, for comparison; only the status if it is not a problem document. */
  get problemSummary(): string {
    const isProblem = this.headers["content-type"]?.startsWith("application/problem+json") === true;
    return isProblem ? `${this.status} ${this.problem.code.replace("HYPERFLEET-", "")}` : `${this.status}`;
  }

  /** All field errors of a problem document: `field: message`. */
  get fieldErrors(): readonly string[] {
    return (this.problem.errors ?? []).map(({ field, message }) => `${field}: ${message}`);
  }
}

/** HTTP client of the API, with default headers. */
export class FleetHttpClient implements Disposable {
  readonly url: string;
  readonly #headers: Headers;
  readonly #agent: Agent;

  constructor(url: string, headers: Headers = {}, agent: Agent = new Agent({ keepAlive: true, maxSockets: 64 })) {
    this.url = url;
    this.#headers = headers;
    this.#agent = agent;
  }

  /** Returns the same client with more headers. */
  with(headers: Headers): FleetHttpClient {
    return new FleetHttpClient(this.url, { ...this.#headers, ...headers }, this.#agent);
  }

  /** Sends a request to a verbatim path. Objects are sent as JSON; bytes and strings are sent verbatim. */
  async send(method: string, path: string, body?: unknown, headers: Headers = {}): Promise<FleetResponse> {
    return await readResponse(await this.open(method, path, body, headers));
  }

  /** Sends a request and resolves with the response headers. */
  open(method: string, path: string, body?: unknown, headers: Headers = {}): Promise<IncomingMessage> {
    const bytes = bytesOf(body);
    const type = bytes === undefined ? {} : { "content-type": "application/json", "content-length": bytes.length };
    const { hostname, port } = new URL(this.url);
    return new Promise((resolve, reject) => {
      const sent = request({
        agent: this.#agent,
        host: hostname,
        port,
        method,
        path,
        headers: { ...type, ...mutable(this.#headers), ...mutable(headers) },
      });
      sent.on("response", resolve);
      sent.on("error", reject);
      sent.end(bytes);
    });
  }

  get(path: string, headers?: Headers): Promise<FleetResponse> {
    return this.send("GET", path, undefined, headers);
  }

  post(path: string, body?: unknown, headers?: Headers): Promise<FleetResponse> {
    return this.send("POST", path, body, headers);
  }

  patch(path: string, body?: unknown, headers?: Headers): Promise<FleetResponse> {
    return this.send("PATCH", path, body, headers);
  }

  put(path: string, body?: unknown, headers?: Headers): Promise<FleetResponse> {
    return this.send("PUT", path, body, headers);
  }

  delete(path: string, headers?: Headers): Promise<FleetResponse> {
    return this.send("DELETE", path, undefined, headers);
  }

  /** Closes the connections of this client and of all derived ones. */
  [Symbol.dispose](): void {
    this.#agent.destroy();
  }
}

/** Reads a response to its end. */
export async function readResponse(incoming: IncomingMessage): Promise<FleetResponse> {
  return new FleetResponse(incoming.statusCode ?? 0, incoming.headers, await text(incoming));
}

function mutable(headers: Headers): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, typeof value === "string" ? value : [...value]]),
  );
}

function bytesOf(body: unknown): Uint8Array | undefined {
  if (body === undefined || body instanceof Uint8Array) return body;
  return Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
}
