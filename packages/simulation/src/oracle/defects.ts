import type { LogLine, PolicyRule } from "@levelset/core";
import { grants, needsRule, requestAttributes } from "@levelset/operator/internal";
import type { Violation } from "../violation/index.ts";
import { isOfLease } from "../world/index.ts";
import type { SentRequest } from "../world/index.ts";

/** What the processes of a run did. */
export interface ProcessRecords {
  readonly requests: readonly SentRequest[];
  readonly logs: readonly LogLine[];
  /** Why a process ended by itself. */
  readonly failure: string | undefined;
  /** The rights that the program declares. */
  readonly rules: readonly PolicyRule[];
}

/** Finds programming errors, requests without a declared right, and writes that the server refuses as invalid. */
export function findDefects({ requests, logs, failure, rules }: ProcessRecords): readonly Violation[] {
  return [
    ...programmingErrors(logs),
    ...undeclaredRights(requests, rules),
    ...refusedWrites(requests),
    ...ended(failure),
  ];
}

function programmingErrors(logs: readonly LogLine[]): readonly Violation[] {
  const line = logs.find(({ level }) => level === "error");
  if (line === undefined) return [];
  const { err, step, kind, namespace, name } = line.fields;
  const cause = err instanceof Error ? `: ${err.message}` : "";
  const place = typeof step === "string" ? ` in step ${step}` : "";
  return [
    {
      rule: "programming-error",
      message: `${line.message}${place}${cause}`,
      expected: "Steps report values that they cannot handle with terminal(), and do not throw.",
      ...(typeof kind === "string"
        ? { object: `${kind} ${[namespace, name].filter((each) => typeof each === "string").join("/")}` }
        : {}),
    },
  ];
}

function undeclaredRights(requests: readonly SentRequest[], rules: readonly PolicyRule[]): readonly Violation[] {
  const seen = new Set<string>();
  for (const request of requests) {
    if (!needsRule(request) || isOfLease(request)) continue;
    const id = `${request.method} ${request.path} ${request.query.includes("watch=true")}`;
    if (seen.has(id)) continue;
    seen.add(id);
    const attributes = requestAttributes(request);
    if (rules.some((rule) => grants(rule, attributes))) continue;
    const { verb, resource, group } = attributes;
    return [
      {
        rule: "undeclared-right",
        message: `The operator sends ${verb} ${resource}${group === "" ? "" : `.${group}`}, which it does not declare.`,
        expected: "A cluster with RBAC refuses this request: declare it with owns, reads or rbac of the step.",
      },
    ];
  }
  return [];
}

function refusedWrites(requests: readonly SentRequest[]): readonly Violation[] {
  const refused = requests.find(
    ({ code, message = "" }) => code === 422 && isInvalid(message) && !isImmutable(message),
  );
  if (refused === undefined) return [];
  const { path, message = "" } = refused;
  const isStatus = path.endsWith("/status");
  return [
    {
      rule: isStatus ? "status-refused" : "child-refused",
      message: `The server refuses a write to ${path}: ${message}`,
      expected: isStatus
        ? "Every status that the steps write is valid under the schema of the kind."
        : "Every spec that the schema allows leads to valid children, or is reported by a step: narrow the schema, or check the value.",
    },
  ];
}

/** Other refusals with this code are failed `test` operations of JSON patches. */
function isInvalid(message: string): boolean {
  return message.includes(" is invalid: ");
}

/** A change of an immutable field depends on the path, which other rules check. */
function isImmutable(message: string): boolean {
  return /immutable|updates to .* are forbidden|may not be changed|cannot be changed|is forbidden/iu.test(message);
}

function ended(failure: string | undefined): readonly Violation[] {
  if (failure === undefined) return [];
  return [
    {
      rule: "process-ended",
      message: `A process ended by itself: ${failure}`,
      expected: "An operator runs until it is stopped.",
    },
  ];
}
