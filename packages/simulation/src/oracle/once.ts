import { controllerOf, isJsonObject } from "@levelset/core";
import { canonicalJson } from "@levelset/core/internal";
import type { ApiObject, StoreEvent } from "@levelset/apiserver";
import type { Violation } from "../violation/index.ts";
import { formatId, idOf } from "../history/index.ts";
import type { ExternalWorld } from "../subject/index.ts";

/**
 * Finds Jobs that run again although the latest one with the same name and owner had the same content and has completed.
 * A return to earlier content is a new intent: a rollback migrates again.
 */
export class JobRepetitions {
  /** Name and owner → the content of the latest Job, if that has completed. */
  readonly #completed = new Map<string, string>();
  readonly #violations = new Map<string, Violation>();

  get violations(): readonly Violation[] {
    return [...this.#violations.values()];
  }

  observe(event: StoreEvent): void {
    if (event.record.key.resource !== "jobs.batch") return;
    const { object } = event.record;
    const owner = controllerOf(object);
    if (owner === undefined || owner.kind === "CronJob") return;
    const id = formatId(idOf(object));
    const intent = `${id} ${owner.uid}`;
    const content = contentOf(object);
    if (event.kind === "created" && this.#completed.get(intent) !== content) this.#completed.delete(intent);
    else if (event.kind === "created") {
      this.#violations.set(id, {
        rule: "job-repeated",
        object: id,
        message: `${id} is created again with the same content after it has completed.`,
        expected: "A Job runs once for each content, also after its TTL has deleted it.",
      });
    }
    if (isComplete(object)) this.#completed.set(intent, content);
  }
}

function contentOf(object: ApiObject): string {
  const spec = object["spec"];
  const template = isJsonObject(spec) ? spec["template"] : undefined;
  return canonicalJson(isJsonObject(template) ? (template["spec"] ?? {}) : {});
}

function isComplete(object: ApiObject): boolean {
  const status = object["status"];
  const conditions = isJsonObject(status) ? status["conditions"] : undefined;
  return (
    Array.isArray(conditions) &&
    conditions.some((each) => isJsonObject(each) && each["type"] === "Complete" && each["status"] === "True")
  );
}

/** Finds effects outside of the cluster that were repeated. */
export function findRepeatedCalls(external: ExternalWorld | undefined): readonly Violation[] {
  const calls = external?.calls() ?? [];
  const repeated = calls.find((call, index) => calls.indexOf(call) !== index);
  const live = external?.live() ?? [];
  const twice = live.find((key, index) => live.indexOf(key) !== index);
  const expected = "An effect outside of the cluster happens once for its key, also if an answer was lost.";
  return [
    ...(repeated === undefined
      ? []
      : [{ rule: "external-repeated" as const, message: `The call "${repeated}" was made more than once.`, expected }]),
    ...(twice === undefined
      ? []
      : [
          {
            rule: "external-repeated" as const,
            message: `There are several resources for the key "${twice}".`,
            expected,
          },
        ]),
  ];
}
