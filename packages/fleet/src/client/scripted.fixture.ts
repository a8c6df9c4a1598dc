import type { Fetch } from "@levelset/core";
import { seededRandom, VirtualClock } from "@levelset/core/testing";
import { FleetClient } from "./fleet-client.ts";
import type { FleetClientOptions } from "./fleet-client.ts";

/** A request as received by the server. */
export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  readonly body: string;
}

/** Responds to a request, or breaks the connection. */
export type ScriptedResponse =
  | Response
  | Error
  | ((requests: RecordedRequest, request: Request) => Response | Promise<Response>);

/** Returns a client with a scripted server, under a clock that skips all delays. */
export function scriptedClient(
  script: readonly ScriptedResponse[],
  options: Partial<FleetClientOptions> = {},
): { readonly client: FleetClient; readonly requests: readonly RecordedRequest[]; readonly clock: VirtualClock } {
  const requests: RecordedRequest[] = [];
  const clock = new VirtualClock();
  const fetch: Fetch = async (request) => {
    const { pathname, search } = new URL(request.url);
    const recorded = {
      method: request.method,
      path: pathname + search,
      headers: request.headers,
      body: await request.text(),
    };
    const next = script[requests.length];
    requests.push(recorded);
    request.signal.throwIfAborted();
    if (next === undefined) throw new Error("the script has ended");
    if (next instanceof Error) throw next;
    return typeof next === "function" ? next(recorded, request) : next;
  };
  const client = new FleetClient({ url: "http://fleet.test", fetch, clock, random: seededRandom(1), ...options });
  return { client, requests, clock };
}

/** Awaits a promise while virtual time advances as needed. */
export async function awaitInVirtualTime<Out>(clock: VirtualClock, promise: Promise<Out>): Promise<Out> {
  const state = { done: false };
  const watched = promise.finally(() => (state.done = true));
  watched.catch(() => {}); // awaited below
  for (;;) {
    await clock.advance(0);
    if (state.done) return watched;
    await clock.advance(Math.max(0, (clock.nextTimerAt ?? clock.now()) - clock.now()));
  }
}

/** Returns a JSON response. */
export function json(
  body: unknown,
  {
    status = 200,
    headers = {},
  }: { readonly status?: number; readonly headers?: Readonly<Record<string, string>> } = {},
): Response {
  return new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json", ...headers } });
}

/** Returns an error response. */
export function problem(status: number, code: string, detail: string, headers: Record<string, string> = {}): Response {
  const document = { type: "about:blank", title: "No", status, detail, code: `HYPERFLEET-${code}`, trace_id: "r-1" };
  return json(document, { status, headers });
}

/** Returns a connection that sends a text, then ends or breaks. */
export function stream(text: string, ending: "end" | "break" = "end"): ScriptedResponse {
  const chunks = [new TextEncoder().encode(text)];
  return () =>
    new Response(
      new ReadableStream({
        pull(controller) {
          const chunk = chunks.pop();
          if (chunk !== undefined) controller.enqueue(chunk);
          else if (ending === "end") controller.close();
          else controller.error(new TypeError("terminated"));
        },
      }),
    );
}
