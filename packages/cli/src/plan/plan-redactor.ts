import { redactSecretsInPair, SecretRedactor, SECRET_MASK } from "@levelset/core/internal";
import type { JsonObject, JsonValue, KubeObject } from "@levelset/core";

/** Words of JSON and of Kubernetes. */
const PLAIN_WORDS = ["true", "false", "null", "default"] as const;
/** Shorter values occur in too many texts to be redacted. The values of Secrets themselves are always masked. */
const LENGTH_MIN = 4;

/** Removes the values of Secrets from everything that is shown: also where an operator copies them to. */
export class PlanRedactor {
  readonly #redactor: SecretRedactor;

  /** `objects` are all Secrets whose values may be shown, among other objects. */
  constructor(objects: readonly (KubeObject | undefined)[]) {
    const shown = new Set<string>([...PLAIN_WORDS, ...objects.flatMap(identityOf)]);
    this.#redactor = new SecretRedactor({ mask: SECRET_MASK, lengthMin: LENGTH_MIN, shown });
    for (const object of objects) {
      if (object?.kind === "Secret") this.#redactor.addSecretsOf(object as unknown as JsonValue); // objects are JSON
    }
  }

  /** Returns a text without values of Secrets. */
  text(text: string): string {
    return this.#redactor.redactText(text);
  }

  /** Returns two states of an object without values of Secrets. Masked values of Secrets show whether they differ. */
  pair(
    before: JsonObject | undefined,
    after: JsonObject | undefined,
  ): readonly [JsonObject | undefined, JsonObject | undefined] {
    const [was, is] = redactSecretsInPair(before, after);
    return [was && this.object(was), is && this.object(is)];
  }

  /** Returns an object without values of Secrets. Its names and its identity stay. */
  object(object: JsonObject): JsonObject {
    const { apiVersion, kind, metadata, ...rest } = object;
    const shown = this.#redactor.redact(rest) as JsonObject; // an object stays one
    const identity = { ...(apiVersion === undefined ? {} : { apiVersion }), ...(kind === undefined ? {} : { kind }) };
    return { ...identity, ...(metadata === undefined ? {} : { metadata: this.#redactor.redact(metadata) }), ...shown };
  }
}

/** Returns the words that identify an object. They stay readable although a Secret has one of them as a value. */
function identityOf(object: KubeObject | undefined): readonly string[] {
  if (object === undefined) return [];
  const { kind, metadata } = object;
  return [kind, metadata.name, metadata.namespace ?? ""];
}
