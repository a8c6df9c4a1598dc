import { CLUSTER_ORIGIN, parseJson } from "@levelset/core/internal";
import type { Fetch } from "@levelset/core";
import { connect, loadKubeconfig } from "@levelset/operator";
import { startEmbeddedServer } from "../../support/test-server.ts";
import type { TestServer } from "../../support/test-server.ts";

/** A response of a server. */
export interface RawResponse {
  readonly code: number;
  readonly type: string;
  readonly headers: Headers;
  /** The body; parsed if it is JSON. */
  readonly body: unknown;
}

/** Options of a request. */
export interface RawRequestOptions {
  readonly method?: string;
  readonly accept?: string;
  readonly body?: unknown;
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A client for arbitrary requests. */
export interface RawClient extends AsyncDisposable {
  request(path: string, asking?: RawRequestOptions): Promise<RawResponse>;
}

/** Connects to a server. */
export async function rawClient(target: TestServer): Promise<RawClient> {
  const connection = connect(await loadKubeconfig(target.kubeconfig));
  return {
    request: (path, asking = {}) => ask(connection.fetch, path, asking),
    [Symbol.asyncDispose]: async () => {
      await connection.close();
      await target[Symbol.asyncDispose]();
    },
  };
}

/** Connects to an embedded server. */
export async function embeddedRawClient(): Promise<RawClient> {
  return rawClient(await startEmbeddedServer());
}

async function ask(fetch: Fetch, path: string, asking: RawRequestOptions): Promise<RawResponse> {
  const { method = "GET", accept, body, contentType = "application/json" } = asking;
  const headers = new Headers(asking.headers);
  if (accept !== undefined) headers.set("accept", accept);
  if (body !== undefined) headers.set("content-type", contentType);
  const request = new Request(CLUSTER_ORIGIN + path, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const response = await fetch(request);
  const type = response.headers.get("content-type") ?? "";
  const text = await response.text();
  // kube-apiserver labels the OpenAPI index as plain text.
  const isJson = text.startsWith("{");
  return { code: response.status, type, headers: response.headers, body: isJson ? parsed(text) : text };
}

/** Parses one value, or the events of a watch. */
function parsed(text: string): unknown {
  const lines = text.trim().split("\n");
  return lines.length > 1 && lines.every((line) => line.startsWith('{"type"'))
    ? lines.map((line) => parseJson(line))
    : parseJson(text);
}
