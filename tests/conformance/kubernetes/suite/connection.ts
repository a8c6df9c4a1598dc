import { Agent, request as send } from "node:https";
import type { IncomingMessage } from "node:http";
import { CaseResponse } from "./case-response.ts";

/** Address and credentials of a server. */
export interface ServerAccess {
  readonly url: string;
  readonly ca: string;
  readonly token: string;
}

/** A request of a case. */
export interface RequestOptions {
  readonly method: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  /** Overrides the default headers (token, JSON). `undefined` removes one. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: string | Uint8Array;
  /** Client certificate in PEM. */
  readonly certificate?: { readonly cert: string; readonly key: string };
}

const SOCKETS_MAX = 32;
const TIMEOUT_MS = 60_000;

/** Raw HTTP/1.1 requests over TLS to one server. */
export class Connection implements Disposable {
  readonly access: ServerAccess;
  readonly #agent: Agent;

  constructor(access: ServerAccess) {
    this.access = access;
    this.#agent = new Agent({ keepAlive: true, maxSockets: SOCKETS_MAX, ca: access.ca });
  }

  /** Sends a request and reads the whole response, whatever its status. */
  async call(call: RequestOptions): Promise<CaseResponse> {
    const response = await this.open(call);
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk as Buffer); // no encoding is set
    return new CaseResponse({
      status: response.statusCode ?? 0,
      headers: response.headers,
      bytes: Buffer.concat(chunks),
      request: `${call.method} ${pathOf(call)}`,
    });
  }

  /** Sends a request and resolves with the response headers. */
  open(call: RequestOptions): Promise<IncomingMessage> {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    // Node omits the length of the body of a DELETE by default.
    const length = call.body === undefined ? undefined : String(Buffer.byteLength(call.body));
    const authorization = `Bearer ${this.access.token}`;
    const headers = { authorization, accept: "application/json", "content-length": length, ...call.headers };
    const { certificate } = call;
    const outgoing = send(
      `${this.access.url}${pathOf(call)}`,
      {
        method: call.method,
        agent: certificate === undefined ? this.#agent : false,
        ...(certificate === undefined ? {} : { ...certificate, ca: this.access.ca }),
        headers: Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined)),
        timeout: TIMEOUT_MS,
      },
      resolve,
    );
    outgoing.on("timeout", () =>
      outgoing.destroy(new Error(`${call.method} ${call.path}: no response before the timeout`)),
    );
    outgoing.on("error", reject);
    outgoing.end(call.body);
    return promise;
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }
}

function pathOf({ path, query = {} }: RequestOptions): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) parameters.append(name, String(value));
  return parameters.size === 0 ? path : `${path}?${parameters.toString()}`;
}
