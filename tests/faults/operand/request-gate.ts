import type { Runnable, World } from "@levelset/core";
import { isWatch } from "@levelset/core/testing";
import type { TestCluster } from "@levelset/apiserver/testing";
import { interceptFetch } from "../../support/intercept-fetch.ts";

/** A request with the server's response. */
export interface AnsweredRequest {
  /** Name of the sending process. */
  readonly process: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
}

/** Path of a discovery document. */
const DISCOVERY = /^\/(?:api|apis\/[^/]+)\/[^/]+$/u;

/**
 * Proxy between a process and the server that decides when each request arrives. Requests are numbered from 0 in
 * sending order; watches and discovery pass and are not numbered.
 */
export class RequestGate {
  readonly #name: string;
  readonly #trace: AnsweredRequest[];
  readonly #waiting = new Map<number, () => void>();
  #sent = 0;
  #limit = Number.POSITIVE_INFINITY;
  #delayed: number | undefined;
  #thawed: PromiseWithResolvers<void> | undefined;

  constructor(name: string, trace: AnsweredRequest[]) {
    this.#name = name;
    this.#trace = trace;
  }

  /** Number of sent requests, including those that wait here. */
  get sent(): number {
    return this.#sent;
  }

  /** Admits only requests with a lower number, except the delayed one. */
  admit(limit: number, delayed?: number): void {
    this.#limit = limit;
    this.#delayed = delayed;
    for (const [number, arrive] of this.#waiting) if (this.#isAdmitted(number)) arrive();
  }

  /** Runs a process behind this gate. */
  wrap(runnable: Runnable): Runnable {
    const named = { name: this.#name, start: (world: World) => runnable.start(world) };
    return interceptFetch(named, async (request, send) => {
      const { pathname: path, search: query } = new URL(request.url);
      const { method } = request;
      if (isWatch({ method, path, query })) return this.#watched(path, await send(request));
      if (DISCOVERY.test(path)) return send(request);
      await this.#arrival(this.#sent++, request.signal);
      const response = await send(request);
      this.#trace.push({ process: this.#name, method, path, status: response.status });
      return response;
    });
  }

  /** Holds the events of all watches except those of Operands from now on: the caches of the process become stale. */
  freezeCaches(): void {
    this.#thawed = Promise.withResolvers<void>();
  }

  /** Delivers the held events in order. */
  thawCaches(): void {
    this.#thawed?.resolve();
    this.#thawed = undefined;
  }

  #watched(path: string, response: Response): Response {
    if (path.endsWith("/operands") || response.body === null) return response;
    const events = new TransformStream<Uint8Array, Uint8Array>({
      transform: async (chunk, controller) => {
        await this.#thawed?.promise;
        controller.enqueue(chunk);
      },
    });
    return new Response(response.body.pipeThrough(events), response);
  }

  #isAdmitted(number: number): boolean {
    return number < this.#limit && number !== this.#delayed;
  }

  async #arrival(number: number, signal: AbortSignal): Promise<void> {
    if (this.#isAdmitted(number)) return;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#waiting.set(number, resolve);
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
    await promise;
    this.#waiting.delete(number);
  }
}

/** A process behind a gate. */
export interface GatedProcess {
  readonly gate: RequestGate;
  readonly stop: () => Promise<void>;
}

/** Starts a process behind a gate that admits a number of requests. */
export function runGated(
  cluster: TestCluster,
  { name, limit, trace }: { readonly name: string; readonly limit: number; readonly trace: AnsweredRequest[] },
  runnable: Runnable,
): GatedProcess {
  const gate = new RequestGate(name, trace);
  gate.admit(limit);
  const running = cluster.run(gate.wrap(runnable));
  return { gate, stop: () => running.stop() };
}
