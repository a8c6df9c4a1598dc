import type { IncomingMessage, ServerResponse } from "node:http";
import { stringifyJson } from "@levelset/core";
import type { JsonObject } from "@levelset/core";
import { openPort } from "@levelset/operator/port";
import type { PortAddress } from "@levelset/operator/port";
import { metricsHandler } from "./health.ts";
import type { Observer } from "./observer.ts";

/** Where a process answers questions about itself. */
export interface EndpointOptions {
  /** `/healthz`, `/readyz` and whatever else it has to say. */
  readonly health: PortAddress;
  /** `/metrics`. */
  readonly metrics: PortAddress;
}

/** Open endpoints. */
export interface Endpoints {
  readonly healthUrl: string;
  readonly metricsUrl: string;
  close(): Promise<void>;
}

/** What is said at a path: a status and a document; undefined if there is no such page. */
export type Page = (path: string) => Promise<readonly [number, JsonObject] | undefined>;

/** Opens the endpoints of a process that is no API. Throws an InputError if a port is taken. */
export async function openEndpoints(
  options: EndpointOptions,
  page: Page,
  figures: Pick<Observer, "render">,
): Promise<Endpoints> {
  const health = await openPort(options.health, (request, response) => answer(page, request, response));
  const metrics = await openPort(options.metrics, metricsHandler(figures)).catch(async (error: unknown) => {
    await health.close();
    throw error;
  });
  return {
    healthUrl: health.url,
    metricsUrl: metrics.url,
    close: async () => {
      await Promise.all([health.close(), metrics.close()]);
    },
  };
}

async function answer(page: Page, { url = "/" }: IncomingMessage, response: ServerResponse): Promise<void> {
  const [status, body] = (await page(url.split("?", 1)[0] ?? "/")) ?? [404, problem("no such page")];
  response.writeHead(status, { "content-type": "application/json", "cache-control": "no-store" });
  response.end(stringifyJson(body));
}

/** Whether all is well; if not, what is not. */
export function healthPage(problems: readonly string[]): readonly [number, JsonObject] {
  return problems.length === 0 ? [200, { status: "ok" }] : [503, problem(problems.join("; "))];
}

function problem(detail: string): JsonObject {
  return { status: "error", detail };
}
