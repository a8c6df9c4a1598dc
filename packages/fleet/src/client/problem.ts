import { isJsonObject } from "@levelset/core";
import type { FieldProblem } from "../resource/index.ts";
import type { WireProblem } from "./wire.ts";

/** What a refusal means for who asked. */
export type ProblemKind =
  /** The request cannot be used as it is; `errors` names the fields. */
  | "invalid"
  | "unauthenticated"
  | "forbidden"
  | "notFound"
  /** The name is taken, or the resource's state does not allow it. */
  | "conflict"
  /** It was changed since it was read: read again. */
  | "stale"
  /** The position in the feed or the list is no longer known: list again. */
  | "expired"
  /** Too much, or not now. */
  | "busy"
  /** Anything else. */
  | "failed";

const KINDS: Readonly<Record<number, ProblemKind>> = {
  400: "invalid",
  401: "unauthenticated",
  403: "forbidden",
  404: "notFound",
  409: "conflict",
  410: "expired",
  412: "stale",
  413: "invalid",
  415: "invalid",
  422: "invalid",
  429: "busy",
  502: "busy",
  503: "busy",
  504: "busy",
};

/** The API answered that it will not do what was asked. The message is one line that names the fields. */
export class FleetProblem extends Error {
  override readonly name = "FleetProblem";
  readonly kind: ProblemKind;
  readonly status: number;
  /** `HYPERFLEET-VAL-000` and the like; undefined when the answer was no problem document. */
  readonly code: string | undefined;
  readonly errors: readonly FieldProblem[];
  /** What the server calls the request, for its logs. */
  readonly requestId: string | undefined;
  /** How long the server asks to wait. */
  readonly retryAfterMs: number | undefined;

  constructor(
    status: number,
    document: WireProblem,
    about: { readonly request: string; readonly retryAfterMs?: number },
  ) {
    super(messageOf(status, document, about.request));
    this.kind = KINDS[status] ?? "failed";
    this.status = status;
    this.code = document.code;
    this.errors = document.errors ?? [];
    this.requestId = document.trace_id;
    this.retryAfterMs = about.retryAfterMs;
  }
}

function messageOf(status: number, { detail, title, errors = [] }: WireProblem, request: string): string {
  const said = detail ?? title ?? `${request}: the server answered ${status}`;
  const fields = errors
    .filter(({ field, message }) => !said.includes(message) || !said.includes(field))
    .map(({ field, message }) => (field === "" ? message : `${field}: ${message}`));
  return [said, ...fields].join("; ");
}

/** Whether something thrown is a problem of this kind. */
export function isProblem(error: unknown, kind: ProblemKind): error is FleetProblem {
  return error instanceof FleetProblem && error.kind === kind;
}

/** Reads an answer that is a refusal. What is no problem document, such as a proxy's page, is told by its code alone. */
export async function readProblem(response: Response, request: string, now: number): Promise<FleetProblem> {
  const text = await response.text().catch(() => "");
  const retryAfterMs = parseRetryAfter(response.headers.get("retry-after"), now);
  const about = { request, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
  return new FleetProblem(response.status, parseDocument(text), about);
}

function parseDocument(text: string): WireProblem {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return {}; // a page of something between us and the API
  }
  if (!isJsonObject(parsed)) return {};
  const texts = ["type", "title", "detail", "instance", "code", "timestamp", "trace_id"] as const;
  const known = texts.flatMap((name) => (typeof parsed[name] === "string" ? [[name, parsed[name]] as const] : []));
  return { ...Object.fromEntries(known), errors: fieldProblems(parsed["errors"]) };
}

function fieldProblems(errors: unknown): readonly FieldProblem[] {
  if (!Array.isArray(errors)) return [];
  return errors.flatMap((error: unknown): readonly FieldProblem[] => {
    if (!isJsonObject(error)) return [];
    const { field, message, value } = error;
    if (typeof field !== "string" || typeof message !== "string") return [];
    return [{ field, message, ...(typeof value === "string" ? { value } : {}) }];
  });
}

/** `Retry-After`: seconds, or a date. */
function parseRetryAfter(text: string | null, now: number): number | undefined {
  if (text === null) return undefined;
  if (/^\d+$/u.test(text.trim())) return Number(text) * 1_000;
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : Math.max(0, time - now);
}
