import { compileJsonPath, evaluateJsonPath, JsonPathError } from "@levelset/core/schema";
import type { JsonPath } from "@levelset/core/schema";
import type { JsonValue } from "@levelset/core";
import type { TaskFieldPath } from "./task.ts";

/** Parses a path in data, as `a.b.c` or JSONPath. Returns the error message if it is invalid. */
export function parseFieldPath(text: string): TaskFieldPath | string {
  try {
    return new CompiledPath(compileJsonPath(text));
  } catch (error) {
    if (error instanceof JsonPathError) return error.message;
    throw error;
  }
}

class CompiledPath implements TaskFieldPath {
  readonly text: string;
  readonly #path: JsonPath;

  constructor(path: JsonPath) {
    this.text = path.text;
    this.#path = path;
  }

  /** Returns the value of a single match; several matches, from filters and wildcards, are returned as a list. */
  find(data: JsonValue): JsonValue | undefined {
    const found = evaluateJsonPath(this.#path, data);
    return found.length > 1 ? found : found[0];
  }
}
