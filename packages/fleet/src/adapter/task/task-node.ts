import { isJsonObject } from "@levelset/core";
import { parseGoDurationMs } from "@levelset/core/internal";
import type { JsonObject, JsonValue } from "@levelset/core";

/** Problems of a configuration with locations: `adapter.yaml: resources[0].discovery: …`. */
export class TaskProblems {
  readonly #file: string;
  readonly #problems: string[] = [];

  constructor(file: string) {
    this.#file = file;
  }

  get all(): readonly string[] {
    return this.#problems;
  }

  add(path: string, message: string): void {
    this.#problems.push(path === "" ? `${this.#file}: ${message}` : `${this.#file}: ${path}: ${message}`);
  }
}

/** Reader of a configuration mapping. Keys that were never read are reported as unknown. */
export class TaskNode {
  readonly path: string;
  readonly #members: JsonObject;
  readonly #problems: TaskProblems;
  readonly #known = new Set<string>();

  constructor(value: JsonValue | undefined, path: string, problems: TaskProblems) {
    this.path = path;
    this.#problems = problems;
    this.#members = isJsonObject(value) ? value : {};
    if (value !== undefined && value !== null && !isJsonObject(value)) this.problem("", "must be a mapping");
  }

  /** Returns whether the key has a value. */
  has(key: string): boolean {
    this.#known.add(key);
    return this.#members[key] !== undefined && this.#members[key] !== null;
  }

  /** Returns the raw value of a key. */
  value(key: string): JsonValue | undefined {
    return this.has(key) ? this.#members[key] : undefined;
  }

  node(key: string): TaskNode {
    return new TaskNode(this.value(key), this.at(key), this.#problems);
  }

  /** Returns a nested mapping with its own location. */
  child(key: string, value: JsonValue): TaskNode {
    return new TaskNode(value, this.at(key), this.#problems);
  }

  /** Returns the items of a list of mappings. */
  nodes(key: string): readonly TaskNode[] {
    const value = this.value(key) ?? [];
    if (!Array.isArray(value)) {
      this.problem(key, "must be a list");
      return [];
    }
    return value.map((item: JsonValue, index) => new TaskNode(item, `${this.at(key)}[${index}]`, this.#problems));
  }

  text(key: string): string | undefined {
    const value = this.value(key);
    if (value === undefined || typeof value === "string") return value;
    this.problem(key, "must be a string");
    return undefined;
  }

  /** Returns a string that must be present and not empty. */
  required(key: string): string {
    const value = this.text(key);
    if (value === undefined || value === "") {
      if (!this.has(key) || value === "") this.problem(key, "is missing");
      return "";
    }
    return value;
  }

  flag(key: string): boolean {
    const value = this.value(key) ?? false;
    if (typeof value === "boolean") return value;
    this.problem(key, "must be true or false");
    return false;
  }

  choice<Choice extends string>(key: string, choices: readonly Choice[]): Choice | undefined {
    const value = this.value(key);
    const found = choices.find((choice) => choice === value);
    if (value !== undefined && found === undefined) this.problem(key, `must be one of ${choices.join(", ")}`);
    return found;
  }

  /** Returns a duration such as `10s` in milliseconds. */
  duration(key: string): number | undefined {
    const text = this.text(key);
    if (text === undefined) return undefined;
    const ms = parseGoDurationMs(text);
    if (ms !== undefined && ms > 0) return Math.ceil(ms);
    this.problem(key, "must be a duration, such as 10s or 1m30s");
    return undefined;
  }

  count(key: string): number | undefined {
    const value = this.value(key);
    if (value === undefined || (typeof value === "number" && Number.isInteger(value) && value >= 0)) return value;
    this.problem(key, "must be an integer of at least 0");
    return undefined;
  }

  /** Adds a problem unless exactly one of these keys is present. */
  oneOf(keys: readonly string[]): void {
    const there = keys.filter((key) => this.has(key));
    if (there.length === 1) return;
    this.problem("", there.length === 0 ? `needs ${keys.join(" or ")}` : `has both ${there.join(" and ")}`);
  }

  problem(key: string, message: string): void {
    this.#problems.add(key === "" ? this.path : this.at(key), message);
  }

  /** Adds a problem for every key that was never read. Must be called last. */
  rejectUnknown(): void {
    for (const key of Object.keys(this.#members)) {
      if (!this.#known.has(key)) {
        this.problem(key, `unknown key; allowed: ${[...this.#known].toSorted().join(", ")}`);
      }
    }
  }

  at(key: string): string {
    return this.path === "" ? key : `${this.path}.${key}`;
  }
}
