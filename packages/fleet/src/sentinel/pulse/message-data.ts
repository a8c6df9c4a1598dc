import { EvalCancelledError, celToJson } from "@levelset/core/cel";
import { InputError, isJsonObject } from "@levelset/core";
import type { CelProgram, CelValue } from "@levelset/core/cel";
import type { JsonObject, JsonValue } from "@levelset/core";
import { EXPRESSION_COST_LIMIT, pulseCelBindings, pulseCelEnvironment } from "../decision/pulse-subject.ts";
import type { PulseSubject } from "../decision/pulse-subject.ts";

/** Data of a message: expressions by field name, in objects of any depth. */
export interface MessageExpressions {
  readonly [field: string]: string | MessageExpressions;
}

/** Identifies a resource for adapters. Children also carry the owner reference. */
export const DEFAULT_MESSAGE: MessageExpressions = {
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
const ENVIRONMENT = pulseCelEnvironment();

interface Field {
  readonly name: string;
  readonly content: CelProgram | readonly Field[];
}

/** Compiled message data. */
export class MessageData {
  readonly texts: MessageExpressions;
  readonly #fields: readonly Field[];

  /** Throws an InputError that names every invalid field. */
  constructor(texts: MessageExpressions, path = "message_data") {
    const problems: string[] = [];
    this.#fields = compileFields(texts, path, problems, 0);
    if (problems.length === 0 && this.#fields.length === 0) problems.push(`${path}: has no fields`);
    if (problems.length > 0) throw new InputError(problems.join("; "));
    this.texts = texts;
  }

  /** Builds the data for a resource. Omits values that are null or fail to evaluate, and objects that become empty. */
  build(subject: PulseSubject): JsonObject {
    const bindings = pulseCelBindings(subject);
    const valueOf = (content: Field["content"]): JsonValue | undefined => {
      if (isFields(content)) {
        const object = objectOf(content);
        return Object.keys(object).length === 0 ? undefined : object;
      }
      const result = content.evaluate(bindings, { costLimit: EXPRESSION_COST_LIMIT });
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

function compileFields(texts: MessageExpressions, path: string, problems: string[], depth: number): readonly Field[] {
  if (depth === DEPTH_MAX) {
    problems.push(`${path}: has more than ${DEPTH_MAX} nested objects`);
    return [];
  }
  return Object.entries(texts).flatMap(([name, text]): readonly Field[] => {
    const where = `${path}.${name}`;
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

/** Converts a value to JSON; undefined if it is too large. */
function jsonOf(value: CelValue): JsonValue | undefined {
  try {
    return celToJson(value);
  } catch (error) {
    if (error instanceof EvalCancelledError) return undefined;
    throw error;
  }
}
