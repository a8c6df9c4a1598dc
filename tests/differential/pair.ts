import { CLUSTER_ORIGIN, parseJson } from "@levelset/core";
import type { Fetch } from "@levelset/core";
import { connect, loadKubeconfig } from "@levelset/operator";
import { embeddedTarget } from "../support/target.ts";
import type { Target } from "../support/target.ts";

/** What a server answered. */
export interface Answered {
  readonly code: number;
  readonly type: string;
  readonly headers: Headers;
  /** The body; parsed where it is JSON. */
  readonly body: unknown;
}

/** How to ask. */
export interface Asking {
  readonly method?: string;
  readonly accept?: string;
  readonly body?: unknown;
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A server that can be asked anything. */
export interface Asked extends AsyncDisposable {
  ask(path: string, asking?: Asking): Promise<Answered>;
}

/** A target over its socket. */
export async function askable(target: Target): Promise<Asked> {
  const connection = connect(await loadKubeconfig(target.kubeconfig));
  return {
    ask: (path, asking = {}) => ask(connection.fetch, path, asking),
    [Symbol.asyncDispose]: async () => {
      await connection.close();
      await target[Symbol.asyncDispose]();
    },
  };
}

/** The embedded server. */
export async function embeddedAskable(): Promise<Asked> {
  return askable(await embeddedTarget());
}

async function ask(fetch: Fetch, path: string, asking: Asking): Promise<Answered> {
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
  // The real server calls the index of OpenAPI plain text.
  const isJson = text.startsWith("{");
  return { code: response.status, type, headers: response.headers, body: isJson ? parsed(text) : text };
}

/** One value, or the events of a watch. */
function parsed(text: string): unknown {
  const lines = text.trim().split("\n");
  return lines.length > 1 && lines.every((line) => line.startsWith('{"type"'))
    ? lines.map((line) => parseJson(line))
    : parseJson(text);
}
