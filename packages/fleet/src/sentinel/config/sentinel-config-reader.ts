import { isJsonObject } from "@levelset/core";
import { parseGoDurationMs } from "@levelset/core/internal";
import { SENTINEL_SETTINGS, settingHint } from "./sentinel-setting.ts";

/** Sources of a configuration. Flags override the environment, which overrides the file. */
export interface SentinelConfigSources {
  /** Content of the YAML file; undefined if there is no file. */
  readonly file: unknown;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Flags by name, without dashes. */
  readonly flags: Readonly<Record<string, string | undefined>>;
}

/** Values that are read as a whole: unknown keys inside are not checked here. */
const WHOLE: readonly string[] = ["resource_selector", "message_decision", "message_data"];

/** Reads configuration values by path and collects all problems. */
export class SentinelConfigReader {
  readonly problems: string[] = [];
  readonly #file: Readonly<Record<string, unknown>>;
  readonly #overrides: ReadonlyMap<string, string>;
  readonly #known = new Set<string>(WHOLE);

  constructor({ file, env, flags }: SentinelConfigSources) {
    this.#file = isJsonObject(file) ? file : {};
    if (file !== undefined && file !== null && !isJsonObject(file))
      this.problems.push("the file must contain an object");
    this.#overrides = new Map(
      SENTINEL_SETTINGS.flatMap(({ path, flag, env: name }) => {
        const configured = flags[flag] ?? env[name];
        return configured === undefined ? [] : [[path, configured] as const];
      }),
    );
  }

  /** Records a problem with the value at a path. Returns an empty list for flatMap. */
  problem(path: string, message: string): readonly never[] {
    this.problems.push(`${path}: ${message} (set it with ${settingHint(path)})`);
    return [];
  }

  /** Returns the value at a path in the file; undefined for null. */
  value(path: string): unknown {
    this.#known.add(path);
    return at(this.#file, path);
  }

  text(path: string, otherwise: string): string {
    const value = this.#raw(path) ?? otherwise;
    if (typeof value === "string") return value;
    this.problem(path, "must be a string");
    return otherwise;
  }

  /** Returns one of the choices; undefined if unset. */
  choice<const T extends string>(path: string, choices: readonly T[]): T | undefined {
    const value = this.#raw(path);
    if (value === undefined) return undefined;
    const choice = choices.find((known) => typeof value === "string" && known === value.toLowerCase());
    if (choice === undefined) this.problem(path, `must be one of ${choices.join(", ")}`);
    return choice;
  }

  boolean(path: string, otherwise: boolean): boolean {
    const value = this.#raw(path) ?? otherwise;
    if (value === true || value === "true" || value === "1") return true;
    if (value === false || value === "false" || value === "0") return false;
    this.problem(path, "must be true or false");
    return otherwise;
  }

  integer(path: string, otherwise: number, { min, max }: { readonly min: number; readonly max: number }): number {
    const value = this.#raw(path) ?? otherwise;
    const number = typeof value === "string" && /^-?\d+$/u.test(value) ? Number(value) : value;
    if (typeof number === "number" && Number.isInteger(number) && number >= min && number <= max) return number;
    this.problem(path, `must be an integer from ${min} to ${max}`);
    return otherwise;
  }

  /** Returns milliseconds, parsed from a Go duration. */
  duration(path: string, otherwiseMs: number): number {
    const value = this.#raw(path);
    if (value === undefined) return otherwiseMs;
    const ms = typeof value === "string" ? parseGoDurationMs(value) : undefined;
    if (ms !== undefined && ms >= 1) return Math.floor(ms);
    this.problem(path, ms === undefined ? "must be a duration such as 5s" : "must be greater than 0");
    return otherwiseMs;
  }

  list(path: string): readonly unknown[] {
    const value = this.value(path) ?? [];
    if (Array.isArray(value)) return value;
    return this.problem(path, "must be a list");
  }

  /** Records a problem for every key of the file that was never read. */
  rejectUnknown(): void {
    this.#refuse(this.#file, "");
  }

  #refuse(object: Readonly<Record<string, unknown>>, prefix: string): void {
    for (const [key, value] of Object.entries(object)) {
      const path = `${prefix}${key}`;
      if (this.#known.has(path)) continue;
      const isSection = [...this.#known].some((known) => known.startsWith(`${path}.`));
      if (isSection && isJsonObject(value)) this.#refuse(value, `${path}.`);
      else if (isSection && value !== null) this.problems.push(`${path}: must be an object`);
      else if (!isSection) this.problems.push(`${path}: unknown key; ${this.#siblings(prefix)}`);
    }
  }

  #siblings(prefix: string): string {
    const names = [...this.#known].flatMap((known) => {
      return known.startsWith(prefix) ? [known.slice(prefix.length).split(".", 1).join("")] : [];
    });
    return `allowed: ${[...new Set(names)].toSorted().join(", ")}`;
  }

  #raw(path: string): unknown {
    this.#known.add(path);
    return this.#overrides.get(path) ?? at(this.#file, path);
  }
}

function at(object: Readonly<Record<string, unknown>>, path: string): unknown {
  let value: unknown = object;
  for (const key of path.split(".")) {
    value = isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  }
  return value ?? undefined;
}
