import { isJsonObject } from "@levelset/core";
import { seededRandom } from "@levelset/core/testing";
import type { RunningFleet } from "../../../support/fleet/running-fleet.ts";
import { FleetResponse, API_BASE, readResponse } from "../../../support/fleet/http.ts";
import type { FleetHttpClient } from "../../../support/fleet/http.ts";
import type { Operation } from "./openapi.ts";
import { ServedDocument } from "./openapi.ts";
import { RequestGenerator } from "./request.ts";
import type { FuzzRequest, KnownResource } from "./request.ts";

/** Result of a fuzzing campaign. */
export interface FuzzOutcome {
  /** Server errors and responses that violate the document; empty if there are none. */
  readonly failures: readonly string[];
  /** Number of responses by status. */
  readonly codes: ReadonlyMap<number, number>;
  /** Operations that never succeeded. */
  readonly neverSucceeded: readonly string[];
}

const KNOWN_MAX = 400;
const FAILURES_MAX = 40;

/**
 * Sends random requests one after the other. Concurrent campaigns that share known resources operate on each other's
 * resources.
 */
export async function fuzz(
  fleet: RunningFleet,
  count: number,
  seed: number,
  known: KnownResource[] = [],
): Promise<FuzzOutcome> {
  const { http } = fleet.user;
  const served = new ServedDocument((await http.get(`${API_BASE}/openapi`)).json);
  const generator = new RequestGenerator(served.operations, seededRandom(seed), known);
  const failures: string[] = [];
  const codes = new Map<number, number>();
  const succeeded = new Set<Operation>();
  for (let index = 0; index < count && failures.length < FAILURES_MAX; index++) {
    const request = generator.next();
    const response = await sent(http, request);
    codes.set(response.status, (codes.get(response.status) ?? 0) + 1);
    if (response.status < 300) succeeded.add(request.operation);
    const problems = [
      ...(response.status >= 500 ? [`${response.status}`] : []),
      ...(request.method === request.operation.method ? published(served, request, response) : []),
    ];
    if (problems.length > 0)
      failures.push(`#${index} ${requestText(request)}\n  ${problems.join("\n  ")}\n  ${response.text.slice(0, 400)}`);
    learn(fleet, known, response);
  }
  const barren = served.operations.filter((operation) => !succeeded.has(operation));
  return { failures, codes, neverSucceeded: barren.map(({ method, path }) => `${method} ${path}`) };
}

/** Checks a response against the document. With an invalid path another operation may have responded, or none. */
function published(
  served: ServedDocument,
  { operation, path }: FuzzRequest,
  response: FleetResponse,
): readonly string[] {
  const pattern = new RegExp(`^${operation.path.replaceAll(/\{[^}]+\}/gu, "[^/]+")}/?$`, "u");
  return pattern.test(path.split("?")[0] ?? "") ? served.problems(operation, response) : [];
}

async function sent(http: FleetHttpClient, { method, path, body, headers }: FuzzRequest): Promise<FleetResponse> {
  const incoming = await http.open(method, path, body, headers);
  if (incoming.headers["content-type"]?.startsWith("text/event-stream") === true) {
    incoming.destroy();
    return new FleetResponse(incoming.statusCode ?? 0, incoming.headers, "");
  }
  return await readResponse(incoming);
}

function learn({ kinds }: RunningFleet, known: KnownResource[], response: FleetResponse): void {
  if (response.status !== 201) return;
  const { json } = response;
  if (!isJsonObject(json) || typeof json["id"] !== "string" || typeof json["kind"] !== "string") return;
  const { id, kind, owner_references: owner } = response.resource;
  const plural = kinds.find(kind)?.plural ?? "";
  known.push({ id, kind, plural, ownerId: owner?.id });
  if (known.length > KNOWN_MAX) known.shift();
}

function requestText({ method, path, headers, body }: FuzzRequest): string {
  return `${method} ${path.slice(0, 600)} ${JSON.stringify(headers)} ${body?.slice(0, 600) ?? ""}`;
}
