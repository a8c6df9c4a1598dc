import { isJsonObject } from "@levelset/core";
import type { JsonObject, JsonValue } from "@levelset/core";
import { redact, REDACTED } from "../../resource/index.ts";
import type { ApiRecord } from "./api-caller.ts";
import type { Secrets } from "./secrets.ts";

/** What happened at one step of a run. */
export interface StepTrace {
  readonly name: string;
  readonly status: "success" | "failed" | "skipped" | "not_met" | "default" | "unset";
  readonly detail?: string;
}

/** What was done to a resource. */
export interface OperationTrace {
  readonly resource: string;
  readonly operation: "find" | "apply" | "delete" | "hold" | "request";
  readonly result: string;
}

/** Everything that happened in a run, in the order it happened: what a dry run shows, and a log line is made of. */
export class RunTrace {
  readonly params: StepTrace[] = [];
  readonly preconditions: StepTrace[] = [];
  readonly resources: StepTrace[] = [];
  readonly postActions: StepTrace[] = [];
  readonly errors: { readonly phase: string; readonly step: string; readonly message: string }[] = [];
  readonly apiRequests: ApiRecord[] = [];
  readonly operations: OperationTrace[] = [];
  readonly #event: JsonValue;
  readonly #secrets: Secrets;

  constructor(event: JsonValue, secrets: Secrets) {
    this.#event = event;
    this.#secrets = secrets;
  }

  /** As JSON, with the keys that tools know. */
  json(status: string, values: JsonObject, discovered: JsonObject): JsonObject {
    const shown = {
      event: this.#event,
      status,
      params: { steps: this.params.map(plain), values },
      preconditions: this.preconditions.map(plain),
      resources: this.resources.map(plain),
      discoveredResources: Object.fromEntries(
        Object.entries(discovered).map(([name, live]) => [name, shownObject(live)]),
      ),
      postActions: this.postActions.map(plain),
      errors: this.errors.map(plain),
      apiRequests: this.apiRequests.map(plain),
      transportOperations: this.operations.map(plain),
    };
    // It has no secret keys left, and is an object as before.
    return redact(this.#secrets.without(shown)) as JsonObject;
  }
}

/** An object without the values of Secrets: it may be one, or carry some to another cluster. */
function shownObject(live: JsonValue): JsonValue {
  if (Array.isArray(live)) return live.map((item: JsonValue) => shownObject(item));
  if (!isJsonObject(live)) return live;
  const { data: _data, stringData: _texts, ...rest } = live;
  const shown = live["kind"] === "Secret" ? { ...rest, data: REDACTED } : live;
  return Object.fromEntries(Object.entries(shown).map(([key, item]) => [key, shownObject(item)]));
}

/** Without what is undefined, as JSON has it. */
function plain(record: object): JsonObject {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));
}
