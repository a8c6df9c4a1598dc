import { isJsonObject } from "@levelset/core";
import { REDACTED, redactFields, redactSecrets } from "@levelset/core/internal";
import type { JsonObject, JsonValue } from "@levelset/core";
import type { SecretRedactor } from "@levelset/core/internal";
import type { ApiCallRecord } from "./api-caller.ts";

/** Trace of one step. */
export interface StepTrace {
  readonly name: string;
  readonly status: "success" | "failed" | "skipped" | "not_met" | "default" | "unset";
  readonly detail?: string;
}

/** Trace of one operation on a resource. */
export interface OperationTrace {
  readonly resource: string;
  readonly operation: "find" | "apply" | "delete" | "hold" | "request";
  readonly result: string;
}

/** Everything that happened in a run, in order. Shown by dry runs and used for log lines. */
export class RunTrace {
  readonly params: StepTrace[] = [];
  readonly preconditions: StepTrace[] = [];
  readonly resources: StepTrace[] = [];
  readonly postActions: StepTrace[] = [];
  readonly errors: { readonly phase: string; readonly step: string; readonly message: string }[] = [];
  readonly apiRequests: ApiCallRecord[] = [];
  readonly operations: OperationTrace[] = [];
  readonly #event: JsonValue;
  readonly #secrets: SecretRedactor;

  constructor(event: JsonValue, secrets: SecretRedactor) {
    this.#event = event;
    this.#secrets = secrets;
  }

  /** Returns the trace as JSON, with stable keys for tools. */
  json(status: string, values: JsonObject, discovered: JsonObject): JsonObject {
    const content = {
      event: this.#event,
      status,
      params: { steps: this.params.map(plain), values },
      preconditions: this.preconditions.map(plain),
      resources: this.resources.map(plain),
      discoveredResources: Object.fromEntries(
        Object.entries(discovered).map(([name, live]) => [name, withoutSecrets(redactSecrets(live))]),
      ),
      postActions: this.postActions.map(plain),
      errors: this.errors.map(plain),
      apiRequests: this.apiRequests.map(plain),
      transportOperations: this.operations.map(plain),
    };
    // Redaction keeps the shape: the result is still an object.
    return redactFields(this.#secrets.redact(content)) as JsonObject;
  }
}

/** Returns an object without the values of Secrets; Secrets may be nested, as in a ManifestWork. */
function withoutSecrets(live: JsonValue): JsonValue {
  if (Array.isArray(live)) return live.map((item: JsonValue) => withoutSecrets(item));
  if (!isJsonObject(live)) return live;
  const { data: _data, stringData: _texts, ...rest } = live;
  const content = live["kind"] === "Secret" ? { ...rest, data: REDACTED } : live;
  return Object.fromEntries(Object.entries(content).map(([key, item]) => [key, withoutSecrets(item)]));
}

/** Drops undefined fields, as JSON does. */
function plain(record: object): JsonObject {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));
}
