import { Agent, request } from "node:http";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import type { Problem, WireResource, WireResourceList, WireStatus, WireStatusList } from "./wire.ts";

/** Where the API's paths begin. */
export const B = "/api/hyperfleet/v1";

/** Headers of a request. A list is sent as several headers. */
export type Headers = Readonly<Record<string, string | readonly string[]>>;

/** An answer, read to its end. */
export class Answer {
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

  // What is read as one of these is compared with what is wanted, member by member: a wrong shape fails there.
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

  /** `404 HYPERFLEET-NTF-001`, to be compared at once; the status alone if it is no problem document. */
  get refusal(): string {
    const isProblem = this.headers["content-type"]?.startsWith("application/problem+json") === true;
    return isProblem ? `${this.status} ${this.problem.code.replace("HYPERFLEET-", "")}` : `${this.status}`;
  }

  /** All that a problem document says about fields: `field: message`. */
  get complaints(): readonly string[] {
    return (this.problem.errors ?? []).map(({ field, message }) => `${field}: ${message}`);
  }
}

/** Someone who calls the API over HTTP, with these headers in every request. */
export class HttpCaller implements Disposable {
  readonly url: string;
  readonly #headers: Headers;
  readonly #agent: Agent;

  constructor(url: string, headers: Headers = {}, agent: Agent = new Agent({ keepAlive: true, maxSockets: 64 })) {
    this.url = url;
    this.#headers = headers;
    this.#agent = agent;
  }

  /** The same caller with more headers. */
  with(headers: Headers): HttpCaller {
    return new HttpCaller(this.url, { ...this.#headers, ...headers }, this.#agent);
  }

  /** Sends a request to a path that is taken as it is. An object is sent as JSON; bytes and texts are sent as they are. */
  async send(method: string, path: string, body?: unknown, headers: Headers = {}): Promise<Answer> {
    return await readAnswer(await this.open(method, path, body, headers));
  }

  /** Sends a request and resolves when the answer begins. */
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

  get(path: string, headers?: Headers): Promise<Answer> {
    return this.send("GET", path, undefined, headers);
  }

  post(path: string, body?: unknown, headers?: Headers): Promise<Answer> {
    return this.send("POST", path, body, headers);
  }

  patch(path: string, body?: unknown, headers?: Headers): Promise<Answer> {
    return this.send("PATCH", path, body, headers);
  }

  put(path: string, body?: unknown, headers?: Headers): Promise<Answer> {
    return this.send("PUT", path, body, headers);
  }

  delete(path: string, headers?: Headers): Promise<Answer> {
    return this.send("DELETE", path, undefined, headers);
  }

  /** Closes the connections of this caller and of all that were made from it. */
  [Symbol.dispose](): void {
    this.#agent.destroy();
  }
}

/** Reads an answer that has begun to its end. */
export async function readAnswer(incoming: IncomingMessage): Promise<Answer> {
  return new Answer(incoming.statusCode ?? 0, incoming.headers, await text(incoming));
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
