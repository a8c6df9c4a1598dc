import { policyRules } from "@levelset/operator";
import { grants, needsRule, requestAttributes, scopedRules } from "@levelset/operator/internal";
import type { ScopedRule } from "@levelset/operator/internal";
import type { Violation } from "../violation/index.ts";
import { LEASE_KEY } from "../world/index.ts";
import type { Refusal, SentRequest, WorldLogLine } from "../world/index.ts";

/** What the processes of a run did. */
export interface ProcessRecords {
  readonly requests: readonly SentRequest[];
  readonly logs: readonly WorldLogLine[];
  /** Why a process ended by itself. */
  readonly failure: string | undefined;
  /** The rights that the program declares. */
  readonly rules: readonly ScopedRule[];
}

/** What the engine logs about programming errors. Steps may log any other error: they handle it themselves. */
const PROGRAMMING_ERRORS: ReadonlySet<string> = new Set([
  "step failed with a programming error",
  "operator callback failed",
  "unhandled rejection in a step: await its promises",
  "unhandled rejection of unknown origin",
]);
const LEASE_PATH = `/apis/coordination.k8s.io/v1/namespaces/${LEASE_KEY.namespace}/leases/${LEASE_KEY.name}`;
/** The rights of a leader election, which its manager declares and not the program. */
const ELECTION_RULES = scopedRules(policyRules([], { lease: LEASE_KEY }));

/** Finds programming errors, requests without a declared right, and writes that the server refuses as invalid. */
export function findDefects({ requests, logs, failure, rules }: ProcessRecords): readonly Violation[] {
  return [
    ...programmingErrors(logs),
    ...serverErrors(logs),
    ...undeclaredRights(requests, rules),
    ...refusedWrites(requests),
    ...ended(failure),
  ];
}

function programmingErrors(logs: readonly WorldLogLine[]): readonly Violation[] {
  const line = logs.find(
    ({ source, level, message }) => source === "process" && level === "error" && PROGRAMMING_ERRORS.has(message),
  );
  if (line === undefined) return [];
  const { step, what, kind, namespace, name } = line.fields;
  const place = typeof step === "string" ? ` in step ${step}` : typeof what === "string" ? ` in ${what}` : "";
  return [
    {
      rule: "programming-error",
      message: `${line.message}${place}${causeOf(line)}`,
      expected: "Steps report values that they cannot handle with terminal(), and do not throw.",
      ...(typeof kind === "string"
        ? { object: `${kind} ${[namespace, name].filter((each) => typeof each === "string").join("/")}` }
        : {}),
    },
  ];
}

function serverErrors(logs: readonly WorldLogLine[]): readonly Violation[] {
  const line = logs.find(({ source, level }) => source === "server" && level === "error");
  if (line === undefined) return [];
  return [
    {
      rule: "programming-error",
      message: `The embedded API server has an internal error: ${line.message}${causeOf(line)}`,
      expected: "The server handles every request. This is a bug of levelset: report it.",
    },
  ];
}

function causeOf({ fields: { err } }: WorldLogLine): string {
  return err instanceof Error ? `: ${err.message}` : "";
}

function undeclaredRights(requests: readonly SentRequest[], rules: readonly ScopedRule[]): readonly Violation[] {
  const isElected = requests.some(({ path }) => path === LEASE_PATH);
  const granted = isElected ? [...rules, ...ELECTION_RULES] : rules;
  const seen = new Set<string>();
  for (const request of requests) {
    if (!needsRule(request)) continue;
    const id = `${request.method} ${request.path} ${request.query.includes("watch=true")}`;
    if (seen.has(id)) continue;
    seen.add(id);
    const attributes = requestAttributes(request);
    if (granted.some((rule) => grants(rule, attributes))) continue;
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
  for (const request of requests) {
    const { path, refusal } = request;
    if (refusal === undefined || !isInvalid(refusal) || isImmutable(refusal)) continue;
    const isStatus = requestAttributes(request).resource.endsWith("/status");
    return [
      {
        rule: isStatus ? "status-refused" : "child-refused",
        message: `The server refuses a write to ${path}: ${refusal.message}`,
        expected: isStatus
          ? "Every status that the steps write is valid under the schema of the kind."
          : "Every spec that the schema allows leads to valid children, or is reported by a step: narrow the schema, or check the value.",
      },
    ];
  }
  return [];
}

/** Other refusals with this code are failed `test` operations of JSON patches. */
function isInvalid({ message }: Refusal): boolean {
  return message.includes(" is invalid: ");
}

/** Values and names in the message of a cause. */
const QUOTED = /"(?:[^"\\]|\\.)*"|`[^`]*`|'[^'\s]*'/gu;
const IMMUTABLE = /\bimmutable\b|updates to .* are forbidden|(?:may not|can ?not) (?:be changed|change)\b/iu;

/** A change of an immutable field depends on the path, which other rules check. */
function isImmutable({ causes }: Refusal): boolean {
  return causes.length > 0 && causes.every((cause) => IMMUTABLE.test(cause.replaceAll(QUOTED, "")));
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
