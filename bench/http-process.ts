// A server in its own process, so that its CPU time is measured without that of its clients.
// Usage: node http-process.ts ours | web | hono DIRECTORY. Sends its port, then its CPU time for every message.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { formatEvent, httpResponse, listenHttp, readBody } from "@levelset/core/http";
import type { HttpHandler } from "@levelset/core/http";

/** The parts of Hono that the benchmark uses. */
interface Hono {
  get(path: string, handle: (context: HonoContext) => unknown): void;
  post(path: string, handle: (context: HonoContext) => unknown): void;
  readonly fetch: (request: Request) => Promise<Response>;
}

interface HonoContext {
  readonly req: { arrayBuffer(): Promise<ArrayBuffer> };
  json(value: unknown): Response;
}

interface HonoModules {
  readonly Hono: new () => Hono;
  readonly streamSSE: (
    context: HonoContext,
    write: (stream: { writeSSE(event: { id: string; data: string }): Promise<void> }) => Promise<void>,
  ) => Response;
  readonly serve: (
    options: { readonly fetch: Hono["fetch"]; readonly hostname: string; readonly port: number },
    onListen: (address: { readonly port: number }) => void,
  ) => void;
}

const EVENTS = 1_000;
const BODY_MAX = 2 * 1024 * 1024;
const VALUE = { kind: "Example", metadata: { name: "a" }, spec: { size: 3 } };
const EVENT = JSON.stringify(VALUE);
const JSON_TYPE = { "content-type": "application/json" };

async function* events(): AsyncGenerator<string> {
  for (let index = 0; index < EVENTS; index++) yield formatEvent({ id: String(index), data: EVENT });
}

const ours: HttpHandler = async (request) => {
  if (request.method === "POST") {
    const { length } = await readBody(request, BODY_MAX);
    return httpResponse(200, JSON.stringify({ length }), JSON_TYPE);
  }
  if (request.url.endsWith("/events")) return httpResponse(200, events(), { "content-type": "text/event-stream" });
  return httpResponse(200, JSON.stringify(VALUE), JSON_TYPE);
};

/** The same listener with a web Request and Response for every request. */
const web: HttpHandler = async ({ method, url, body }) => {
  const sent = body === null ? {} : { body: ReadableStream.from(body), duplex: "half" as const };
  const request = new Request(url, { method, ...sent });
  if (method === "POST") return Response.json({ length: (await request.arrayBuffer()).byteLength });
  if (request.url.endsWith("/events")) {
    const bytes = ReadableStream.from(events()).pipeThrough(new TextEncoderStream());
    return new Response(bytes, { headers: { "content-type": "text/event-stream" } });
  }
  return Response.json(VALUE);
};

async function serveHono(directory: string): Promise<number> {
  const load = (path: string): Promise<Partial<HonoModules>> =>
    import(pathToFileURL(join(directory, "node_modules", path)).href);
  const parts = await Promise.all(
    ["hono/dist/index.js", "hono/dist/helper/streaming/index.js", "@hono/node-server/dist/index.mjs"].map(load),
  );
  const { Hono, streamSSE, serve } = Object.assign({}, ...parts) as HonoModules; // the modules that export them
  const app = new Hono();
  app.get("/", (context) => context.json(VALUE));
  app.post("/", async (context) => context.json({ length: (await context.req.arrayBuffer()).byteLength }));
  app.get("/events", (context) =>
    streamSSE(context, async (stream) => {
      for (let index = 0; index < EVENTS; index++) await stream.writeSSE({ id: String(index), data: EVENT });
    }),
  );
  return new Promise((resolve) =>
    serve({ fetch: app.fetch, hostname: "127.0.0.1", port: 0 }, ({ port }) => resolve(port)),
  );
}

const [kind = "ours", directory = ""] = process.argv.slice(2);
const port =
  kind === "hono"
    ? await serveHono(directory)
    : (await listenHttp(kind === "web" ? web : ours, { port: 0, limits: { connections: 1_000 } })).port;
process.on("message", () => process.send?.(process.cpuUsage()));
process.once("disconnect", () => process.exit());
process.send?.({ port });
