import { kind, s, StatusError } from "@levelset/core";
import type { EmbeddedObject, Fetch, StatusReason, Runnable } from "@levelset/core";

/** A kind whose lists can be rejected. */
export const Widget = kind({
  group: "example.com",
  version: "v1",
  kind: "Widget",
  spec: s.object({ size: s.int32().optional() }),
  status: s.object({}),
});

/** Returns a Widget manifest. */
export function widget(name: string, size: number = 1): EmbeddedObject {
  return { apiVersion: "example.com/v1", kind: "Widget", metadata: { name, namespace: "default" }, spec: { size } };
}

/** Returns a ConfigMap manifest. */
export function config(name: string): EmbeddedObject {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace: "default" }, data: { a: "1" } };
}

/** Proxy between a process and the server: answers lists and watches of Widgets as configured, and counts them. */
export class ListGuard {
  /** Undefined forwards lists and watches; `hang` never answers. */
  answer: StatusReason | "hang" | undefined;
  /** Rejects watches only. */
  onlyWatches = false;
  /** Number of list requests so far. */
  lists = 0;
  /** Number of Widget writes whose response is dropped from now on. */
  lost = 0;
  readonly #open = new Set<AbortController>();

  constructor(result?: StatusReason | "hang") {
    this.answer = result;
  }

  /** Closes open watches, as a server does after a right is revoked. */
  cutWatches(): void {
    for (const one of this.#open) one.abort();
    this.#open.clear();
  }

  /** Runs a process behind this proxy. */
  wrap(runnable: Runnable): Runnable {
    return { ...runnable, start: (world) => runnable.start({ ...world, fetch: this.#guarded(world.fetch) }) };
  }

  #guarded(server: Fetch): Fetch {
    return async (request) => {
      const { pathname, searchParams } = new URL(request.url);
      if (request.method === "PATCH" && pathname.includes("/widgets/") && this.lost > 0) {
        this.lost--;
        await server(request);
        throw new TypeError("fetch failed");
      }
      if (request.method !== "GET" || !pathname.endsWith("/widgets")) return server(request);
      this.lists++;
      const isWatch = searchParams.get("watch") !== null;
      if (this.answer === undefined || (this.onlyWatches && !isWatch)) return this.#watched(server, request);
      if (this.answer === "hang") return forever(request.signal);
      const error = new StatusError(this.answer, `widgets.example.com is ${this.answer} (injected)`);
      return Response.json(error.toStatus(), { status: error.code });
    };
  }

  #watched(server: Fetch, request: Request): Promise<Response> {
    const cut = new AbortController();
    this.#open.add(cut);
    return server(new Request(request, { signal: AbortSignal.any([request.signal, cut.signal]) }));
  }
}

function forever(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(new DOMException("This operation was aborted", "AbortError")), {
      once: true,
    });
  });
}
