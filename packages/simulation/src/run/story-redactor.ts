import { isJsonObject } from "@levelset/core";
import type { JsonObject, JsonValue, KubeObject } from "@levelset/core";
import { canonicalJson, parseJson, redactSecrets, SECRET_MASK, SecretRedactor } from "@levelset/core/internal";
import type { History, Manifest, ObjectId, Operation } from "../history/index.ts";
import type { Difference, Violation } from "../violation/index.ts";
import type { StoryEvent } from "./run-options.ts";
import type { WhyReport } from "./why-report.ts";

/** Shorter values occur in too many texts to be redacted. */
const LENGTH_MIN = 4;
/** Words of JSON and of every story. */
const PLAIN_WORDS = ["true", "false", "null", "default"] as const;
/** Fields of explained objects that identify something, or are one of a few words. */
const IDENTITY: ReadonlySet<string> = new Set([
  "apiVersion",
  "kind",
  "namespace",
  "name",
  "uid",
  "type",
  "step",
  "state",
  "objectState",
  "status",
  "severity",
  "result",
]);
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/u;

/**
 * Removes the values of Secrets from what a story shows: also where an operator copies them to. The names of the objects
 * that users create stay readable.
 */
export class StoryRedactor {
  readonly #redactor: SecretRedactor;

  /** `secrets` are Secrets of which the history may have copies, as objects of other clients do. */
  constructor({ operations }: History, secrets: readonly JsonObject[] = []) {
    const objects = operations.flatMap((operation) => ("object" in operation ? [operation.object] : []));
    const names = objects.flatMap(({ kind, metadata: { name, namespace = "" } }) => [kind, name, namespace]);
    const shown = new Set([...PLAIN_WORDS, ...names]);
    this.#redactor = new SecretRedactor({ mask: SECRET_MASK, lengthMin: LENGTH_MIN, shown });
    for (const object of [...objects, ...secrets]) this.#redactor.addSecretsOf(object);
  }

  /** Learns the values of an object if it is a Secret. */
  addObject(object: KubeObject): void {
    if (object.kind === "Secret") this.#redactor.addSecretsOf(object as unknown as JsonValue); // objects are JSON
  }

  events(events: readonly StoryEvent[]): readonly StoryEvent[] {
    return events.map((event) => ({ ...event, text: this.#text(event.text) }));
  }

  violation({ rule, message, expected, object, differences }: Violation): Violation {
    return {
      rule,
      message: this.#text(message),
      expected: this.#text(expected),
      ...(object === undefined ? {} : { object: this.#text(object) }),
      ...(differences === undefined ? {} : { differences: differences.map((each) => this.#difference(each)) }),
    };
  }

  /** Objects keep their names and kinds, and operations their words. */
  history({ operations }: History): History {
    return { operations: operations.map((each) => this.#operation(each)) };
  }

  why(report: WhyReport): WhyReport {
    return { ...report, objects: this.#explained(report.objects as unknown as JsonValue) as never }; // the same fields
  }

  #operation(operation: Operation): Operation {
    switch (operation.do) {
      case "create":
      case "change": {
        const { path } = operation;
        const object = this.#manifest(operation.object);
        return { ...operation, object, ...(path === undefined ? {} : { path: this.#text(path) }) };
      }
      case "create-foreign":
        return { ...operation, object: this.#manifest(operation.object) };
      case "delete-child": {
        const { target } = operation;
        return { ...operation, ...(target === undefined ? {} : { target: this.#child(target) }) };
      }
      case "edit-child": {
        const { target, patch } = operation;
        return {
          ...operation,
          ...(target === undefined ? {} : { target: this.#child(target) }),
          ...(patch === undefined ? {} : { patch: this.#patch(patch, target) }),
        };
      }
      default:
        return operation;
    }
  }

  #manifest(object: Manifest): Manifest {
    const { apiVersion, kind, metadata, ...fields } = redactSecrets(object) as Manifest; // the same fields
    const { name, namespace, ...others } = metadata;
    return {
      apiVersion,
      kind,
      metadata: { name, ...(namespace === undefined ? {} : { namespace }), ...this.#object(others) },
      ...this.#object(fields),
    };
  }

  /** The name of a child may be the value of a Secret. */
  #child(target: ObjectId): ObjectId {
    return { ...target, name: this.#text(target.name) };
  }

  #patch(patch: JsonObject, { apiVersion = "", kind = "" }: Partial<ObjectId> = {}): JsonObject {
    // A patch has no kind of its own. All values of a patch of a Secret are masked.
    const { apiVersion: _a, kind: _k, ...fields } = redactSecrets({ ...patch, apiVersion, kind }) as JsonObject;
    return this.#object(fields);
  }

  #object(fields: JsonObject): JsonObject {
    return this.#redactor.redact(fields) as JsonObject; // an object stays an object
  }

  #text(text: string): string {
    return this.#redactor.redactText(text);
  }

  #difference({ object, path, expected, actual }: Difference): Difference {
    return {
      object: this.#text(object),
      path: this.#text(path),
      expected: this.#value(expected),
      actual: this.#value(actual),
    };
  }

  /** A value is JSON. A text in it may be JSON again, with a secret that is escaped twice. */
  #value(value: string | undefined): string | undefined {
    const parsed = value === undefined ? undefined : parsedJson(value);
    const text = parsed === undefined ? value : canonicalJson(this.#redactor.redact(parsed));
    return text === undefined ? undefined : this.#text(text);
  }

  #explained(value: JsonValue): JsonValue {
    if (typeof value === "string") return TIME.test(value) ? value : this.#text(value);
    if (Array.isArray(value)) return value.map((item: JsonValue) => this.#explained(item));
    if (!isJsonObject(value)) return value;
    const entries = Object.entries(value).flatMap(([name, member]): readonly (readonly [string, JsonValue])[] => {
      if (member === undefined) return [];
      return [[name, IDENTITY.has(name) && typeof member === "string" ? member : this.#explained(member)]];
    });
    return Object.fromEntries(entries);
  }
}

/** Parses a value of a difference; undefined if it is masked already. */
function parsedJson(text: string): JsonValue | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
