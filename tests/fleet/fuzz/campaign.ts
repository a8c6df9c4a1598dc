import { isJsonObject } from "@levelset/core";
import { seededRandom } from "@levelset/core/testing";
import type { RunningFleet } from "../running-fleet.ts";
import { Answer, B, readAnswer } from "../http.ts";
import type { HttpCaller } from "../http.ts";
import type { Operation } from "./openapi.ts";
import { ServedDocument } from "./openapi.ts";
import { RequestMaker } from "./request.ts";
import type { FuzzRequest, KnownResource } from "./request.ts";

/** What many requests came to. */
export interface FuzzOutcome {
  /** Answers that blame the server or are not as published, and requests that took too long. Ought to be none. */
  readonly failures: readonly string[];
  /** How often each status was the answer. */
  readonly codes: ReadonlyMap<number, number>;
  /** Operations that never succeeded. */
  readonly barren: readonly string[];
}

const KNOWN_MAX = 400;
const FAILURES_MAX = 40;
const SLOW_MS = 5_000;

/** Sends so many made-up requests, one after the other. Several campaigns that share what is known meet each other's resources. */
export async function fuzz(
  fleet: RunningFleet,
  count: number,
  seed: number,
  known: KnownResource[] = [],
): Promise<FuzzOutcome> {
  const { http } = fleet.user;
  const served = new ServedDocument((await http.get(`${B}/openapi`)).json);
  const maker = new RequestMaker(served.operations, seededRandom(seed), known);
  const failures: string[] = [];
  const codes = new Map<number, number>();
  const fruitful = new Set<Operation>();
  for (let index = 0; index < count && failures.length < FAILURES_MAX; index++) {
    const made = maker.next();
    const start = performance.now();
    const answer = await sent(http, made);
    codes.set(answer.status, (codes.get(answer.status) ?? 0) + 1);
    if (answer.status < 300) fruitful.add(made.operation);
    const problems = [
      ...(answer.status >= 500 ? [`${answer.status}`] : []),
      ...(performance.now() - start > SLOW_MS ? ["slow"] : []),
      ...(made.method === made.operation.method ? published(served, made, answer) : []),
    ];
    if (problems.length > 0)
      failures.push(`#${index} ${told(made)}\n  ${problems.join("\n  ")}\n  ${answer.text.slice(0, 400)}`);
    learn(fleet, known, answer);
  }
  const barren = served.operations.filter((operation) => !fruitful.has(operation));
  return { failures, codes, barren: barren.map(({ method, path }) => `${method} ${path}`) };
}

/** What the document says of an answer; with a strange path it was another operation that answered, or none. */
function published(served: ServedDocument, { operation, path }: FuzzRequest, answer: Answer): readonly string[] {
  const pattern = new RegExp(`^${operation.path.replaceAll(/\{[^}]+\}/gu, "[^/]+")}/?$`, "u");
  return pattern.test(path.split("?")[0] ?? "") ? served.problems(operation, answer) : [];
}

async function sent(http: HttpCaller, { method, path, body, headers }: FuzzRequest): Promise<Answer> {
  const incoming = await http.open(method, path, body, headers);
  if (incoming.headers["content-type"]?.startsWith("text/event-stream") === true) {
    incoming.destroy();
    return new Answer(incoming.statusCode ?? 0, incoming.headers, "");
  }
  return await readAnswer(incoming);
}

function learn({ kinds }: RunningFleet, known: KnownResource[], answer: Answer): void {
  if (answer.status !== 201) return;
  const { json } = answer;
  if (!isJsonObject(json) || typeof json["id"] !== "string" || typeof json["kind"] !== "string") return;
  const { id, kind, owner_references: owner } = answer.resource;
  const plural = kinds.find(kind)?.plural ?? "";
  known.push({ id, kind, plural, ownerId: owner?.id });
  if (known.length > KNOWN_MAX) known.shift();
}

function told({ method, path, headers, body }: FuzzRequest): string {
  return `${method} ${path.slice(0, 600)} ${JSON.stringify(headers)} ${body?.slice(0, 600) ?? ""}`;
}
