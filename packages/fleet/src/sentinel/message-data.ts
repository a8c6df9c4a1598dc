import { CelStop, celToJson, InputError, isJsonObject } from "@levelset/core";
import type { CelProgram, CelValue, JsonObject, JsonValue } from "@levelset/core";
import { EXPRESSION_COST_LIMIT, subjectBindings, subjectEnvironment } from "./subject.ts";
import type { Subject } from "./subject.ts";

/** What a message says: expressions by the name of their field, in objects of any depth. */
export interface MessageTexts {
  readonly [field: string]: string | MessageTexts;
}

/** What adapters need to find a resource again. Children also say whose they are. */
export const DEFAULT_MESSAGE: MessageTexts = {
  id: "resource.id",
  kind: "resource.kind",
  href: "resource.href",
  generation: "resource.generation",
  owner_references: {
    id: "resource.owner_references.id",
    kind: "resource.owner_references.kind",
    href: "resource.owner_references.href",
  },
};

const DEPTH_MAX = 16;
const ENVIRONMENT = subjectEnvironment();

interface Field {
  readonly name: string;
  readonly content: CelProgram | readonly Field[];
}

/** The data of messages, compiled. */
export class MessageData {
  readonly texts: MessageTexts;
  readonly #fields: readonly Field[];

  /** Throws an InputError that names every field at fault. */
  constructor(texts: MessageTexts, place = "message_data") {
    const problems: string[] = [];
    this.#fields = compileFields(texts, place, problems, 0);
    if (problems.length === 0 && this.#fields.length === 0) problems.push(`${place}: has no fields`);
    if (problems.length > 0) throw new InputError(problems.join("; "));
    this.texts = texts;
  }

  /** The data for a resource. What is null or cannot be evaluated is left out, and so is an object of which nothing is left. */
  build(subject: Subject): JsonObject {
    const given = subjectBindings(subject);
    const valueOf = (content: Field["content"]): JsonValue | undefined => {
      if (isFields(content)) {
        const object = objectOf(content);
        return Object.keys(object).length === 0 ? undefined : object;
      }
      const result = content.evaluate(given, { costLimit: EXPRESSION_COST_LIMIT });
      return result.kind === "error" || result.value === null ? undefined : jsonOf(result.value);
    };
    const objectOf = (fields: readonly Field[]): JsonObject => {
      return Object.fromEntries(
        fields.flatMap(({ name, content }) => {
          const value = valueOf(content);
          return value === undefined ? [] : [[name, value]];
        }),
      );
    };
    return objectOf(this.#fields);
  }
}

function compileFields(texts: MessageTexts, place: string, problems: string[], depth: number): readonly Field[] {
  if (depth === DEPTH_MAX) {
    problems.push(`${place}: is deeper than ${DEPTH_MAX} objects`);
    return [];
  }
  return Object.entries(texts).flatMap(([name, text]): readonly Field[] => {
    const where = `${place}.${name}`;
    if (isJsonObject(text)) {
      return [{ name, content: compileFields(text, where, problems, depth + 1) }];
    }
    if (typeof text !== "string" || text.trim() === "") {
      problems.push(`${where}: must be an expression or an object of them, and not be empty`);
      return [];
    }
    const compiled = ENVIRONMENT.compile(text, { literals: "validate" });
    if (compiled.kind === "program") return [{ name, content: compiled.program }];
    problems.push(...compiled.issues.map(({ message, line, column }) => `${where}: ${line}:${column}: ${message}`));
    return [];
  });
}

function isFields(content: Field["content"]): content is readonly Field[] {
  return Array.isArray(content);
}

/** A value as JSON; undefined where it is too much of it. */
function jsonOf(value: CelValue): JsonValue | undefined {
  try {
    return celToJson(value);
  } catch (error) {
    if (error instanceof CelStop) return undefined;
    throw error;
  }
}
