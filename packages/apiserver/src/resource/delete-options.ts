import { invalidError } from "@levelset/core/internal";
import type { FieldError } from "@levelset/core/schema";
import { badRequestError } from "./status-errors.ts";
import { asRecord } from "./json-access.ts";

/** Preconditions of a deletion. */
export interface Preconditions {
  readonly uid?: string;
  readonly resourceVersion?: string;
}

/** Propagation policy: dependents are deleted after the object, before it, or orphaned (docs: Garbage Collection). */
export type PropagationPolicy = "Background" | "Foreground" | "Orphan";

/** Parsed DeleteOptions. */
export interface DeleteOptions {
  readonly dryRun: boolean;
  readonly preconditions: Preconditions;
  readonly propagationPolicy?: PropagationPolicy;
  /** Deprecated form of `propagationPolicy`. The two are mutually exclusive. */
  readonly orphanDependents?: boolean;
  /** Grace period. Only pods have one. */
  readonly gracePeriodSeconds?: number;
}

const POLICIES: readonly string[] = ["Background", "Foreground", "Orphan"];

/** Parses the body of a DELETE request. Throws BadRequest for wrong types and Invalid for wrong values. */
export function deleteOptionsFromBody(body: unknown): DeleteOptions {
  const options = asRecord(body);
  if (options !== body) throw unreadable("DeleteOptions must be an object");
  const { kind = "DeleteOptions", preconditions } = options;
  if (kind !== "DeleteOptions") throw badRequestError("decoded object cannot be converted to DeleteOptions");
  const dryRun = options["dryRun"] ?? [];
  if (!Array.isArray(dryRun)) throw unreadable("DeleteOptions.dryRun must be a list");
  if (preconditions !== undefined && preconditions !== null && asRecord(preconditions) !== preconditions) {
    throw unreadable("DeleteOptions.preconditions must be an object");
  }
  const given = asRecord(preconditions);
  const uid = typed("preconditions.uid", given["uid"], "string");
  const resourceVersion = typed("preconditions.resourceVersion", given["resourceVersion"], "string");
  return checked({
    dryRun: dryRun.map(String),
    preconditions: {
      ...(uid === undefined ? {} : { uid }),
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
    },
    propagationPolicy: typed("propagationPolicy", options["propagationPolicy"], "string"),
    orphanDependents: typed("orphanDependents", options["orphanDependents"], "boolean"),
    gracePeriodSeconds: whole(options["gracePeriodSeconds"]),
  });
}

/**
 * Parses the query of a DELETE request without a body. Throws BadRequest for wrong types and Invalid for wrong values.
 */
export function deleteOptionsFromQuery(query: URLSearchParams): DeleteOptions {
  const policy = query.get("propagationPolicy");
  const orphan = query.get("orphanDependents");
  const grace = query.get("gracePeriodSeconds");
  if (grace !== null && !/^[+-]?\d+$/u.test(grace)) {
    throw badRequestError(`strconv.ParseInt: parsing ${JSON.stringify(grace)}: invalid syntax`);
  }
  return checked({
    dryRun: query.getAll("dryRun").filter((value) => value !== ""),
    preconditions: {},
    propagationPolicy: policy ?? undefined,
    // Everything but "false" and "0" is true (k8s.io/apimachinery/pkg/runtime/conversion.go, Kubernetes 1.36).
    orphanDependents: orphan === null ? undefined : !["false", "0"].includes(orphan.toLowerCase()),
    gracePeriodSeconds: grace === null ? undefined : whole(Number(grace)),
  });
}

interface Given {
  readonly dryRun: readonly string[];
  readonly preconditions: Preconditions;
  readonly propagationPolicy: string | undefined;
  readonly orphanDependents: boolean | undefined;
  readonly gracePeriodSeconds: number | undefined;
}

function checked(given: Given): DeleteOptions {
  const { propagationPolicy, orphanDependents, gracePeriodSeconds } = given;
  const errors = [...policyErrors(given), ...dryRunErrors(given.dryRun)];
  if (errors.length > 0) throw invalidError({ kind: "DeleteOptions", group: "meta.k8s.io", name: "" }, errors);
  return {
    dryRun: given.dryRun.length > 0,
    preconditions: given.preconditions,
    ...(propagationPolicy === undefined || !isPolicy(propagationPolicy) ? {} : { propagationPolicy }),
    ...(orphanDependents === undefined ? {} : { orphanDependents }),
    ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
  };
}

function isPolicy(text: string): text is PropagationPolicy {
  return POLICIES.includes(text);
}

function policyErrors({ propagationPolicy, orphanDependents }: Given): readonly FieldError[] {
  if (propagationPolicy === undefined) return [];
  const field = "propagationPolicy";
  const shown = JSON.stringify(propagationPolicy);
  if (orphanDependents !== undefined) {
    const message = `Invalid value: ${shown}: orphanDependents and deletionPropagation cannot be both set`;
    return [{ reason: "FieldValueInvalid", field, message }];
  }
  if (isPolicy(propagationPolicy)) return [];
  const message = `Unsupported value: ${shown}: supported values: "Background", "Foreground", "Orphan", "nil"`;
  return [{ reason: "FieldValueNotSupported", field, message }];
}

function dryRunErrors(dryRun: readonly string[]): readonly FieldError[] {
  if (dryRun.every((value) => value === "All")) return [];
  const message = `Unsupported value: ${JSON.stringify(dryRun)}: supported values: "All"`;
  return [{ reason: "FieldValueNotSupported", field: "dryRun", message }];
}

function whole(value: unknown): number | undefined {
  const number = typed("gracePeriodSeconds", value, "number");
  if (number === undefined || Number.isSafeInteger(number)) return number;
  throw unreadable("DeleteOptions.gracePeriodSeconds must be a whole number");
}

interface Types {
  readonly string: string;
  readonly boolean: boolean;
  readonly number: number;
}

function typed<T extends keyof Types>(field: string, value: unknown, type: T): Types[T] | undefined {
  if (value === undefined || value === null) return undefined;
  // `typeof` has established the type.
  if (typeof value === type) return value as Types[T];
  throw unreadable(`DeleteOptions.${field} must be a ${type}`);
}

function unreadable(why: string): Error {
  return badRequestError(`the object provided is unrecognized: ${why}`);
}
