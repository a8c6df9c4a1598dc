import type { Fetch } from "@levelset/core";
import { seededRandom, VirtualClock } from "@levelset/core/testing";
import { FleetClient } from "./fleet-client.ts";
import type { FleetClientOptions } from "./fleet-client.ts";

/** A request as a server saw it. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  readonly body: string;
}

/** What a server does with a request: answers, or breaks the connection. */
export type Scripted = Response | Error | ((asked: Asked, request: Request) => Response | Promise<Response>);

/** A client whose server answers by a script, under a clock that skips every wait. */
export function scripted(
  script: readonly Scripted[],
  options: Partial<FleetClientOptions> = {},
): { readonly client: FleetClient; readonly asked: readonly Asked[]; readonly clock: VirtualClock } {
  const asked: Asked[] = [];
  const clock = new VirtualClock();
  const fetch: Fetch = async (request) => {
    const { pathname, search } = new URL(request.url);
    const seen = {
      method: request.method,
      path: pathname + search,
      headers: request.headers,
      body: await request.text(),
    };
    const next = script[asked.length];
    asked.push(seen);
    request.signal.throwIfAborted();
    if (next === undefined) throw new Error("the script has ended");
    if (next instanceof Error) throw next;
    return typeof next === "function" ? next(seen, request) : next;
  };
  const client = new FleetClient({ url: "http://fleet.test", fetch, clock, random: seededRandom(1), ...options });
  return { client, asked, clock };
}

/** Awaits a promise while time passes as fast as it is waited for. */
export async function soon<Out>(clock: VirtualClock, promise: Promise<Out>): Promise<Out> {
  const state = { done: false };
  const watched = promise.finally(() => (state.done = true));
  watched.catch(() => {}); // awaited below
  for (;;) {
    await clock.advance(0);
    if (state.done) return watched;
    await clock.advance(Math.max(0, (clock.nextAt ?? clock.now()) - clock.now()));
  }
}

/** An answer of JSON. */
export function json(
  body: unknown,
  {
    status = 200,
    headers = {},
  }: { readonly status?: number; readonly headers?: Readonly<Record<string, string>> } = {},
): Response {
  return new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json", ...headers } });
}

/** A refusal. */
export function problem(status: number, code: string, detail: string, headers: Record<string, string> = {}): Response {
  const document = { type: "about:blank", title: "No", status, detail, code: `HYPERFLEET-${code}`, trace_id: "r-1" };
  return json(document, { status, headers });
}

/** A connection that sends a text, then ends or breaks. */
export function stream(text: string, ending: "end" | "break" = "end"): Scripted {
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
