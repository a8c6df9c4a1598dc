import { compilePath, evaluatePath, JsonPathError } from "@levelset/core";
import type { JsonPath, JsonValue } from "@levelset/core";
import type { FieldPath } from "./task.ts";

/** A place in data, as `a.b.c` or in JSONPath; a text says what is wrong with it. */
export function fieldPath(text: string): FieldPath | string {
  try {
    return new CompiledPath(compilePath(text));
  } catch (error) {
    if (error instanceof JsonPathError) return error.message;
    throw error;
  }
}

class CompiledPath implements FieldPath {
  readonly text: string;
  readonly #path: JsonPath;

  constructor(path: JsonPath) {
    this.text = path.text;
    this.#path = path;
  }

  /** One match is its value; several, as filters and wildcards give, are a list. */
  find(data: JsonValue): JsonValue | undefined {
    const found = evaluatePath(this.#path, data);
    return found.length > 1 ? found : found[0];
  }
}
