import { InputError } from "@levelset/core";
import type { JsonObject } from "@levelset/core";
import { ENV_PREFIX, NON_SETTING_VARIABLES, variableOf } from "./config-sources.ts";
import type { ConfigSources } from "./config-sources.ts";
import { suggestName } from "./suggest-name.ts";
import { describeSettingSource } from "./setting-source.ts";
import type { ResolvedSetting, SettingSource } from "./setting-source.ts";

/** The value of a setting and its source. */
export interface SettingValue {
  readonly value: unknown;
  readonly origin: SettingSource;
  /** The base directory of relative paths. */
  readonly directory: string;
}

/** Sections that belong to either a fleet or an adapter. One process may be both. */
const SECTIONS: readonly string[] = ["adapter", "api", "clients", "sentinel", "store"];

/**
 * Reads settings from a file, variables and flags; a flag overrides a variable, a variable overrides the file.
 * Continues after a problem, so that all are reported at once. `throwProblems` refuses everything that was not
 * requested.
 */
export class SettingsReader {
  readonly sources: ConfigSources;
  readonly #found: ResolvedSetting[] = [];
  readonly #problems: string[] = [];
  readonly #variables = new Set<string>(NON_SETTING_VARIABLES);
  readonly #paths = new Set<string>();
  /** The allowed keys of each object in the file, by path. */
  readonly #known = new Map<string, { readonly object: JsonObject; readonly names: Set<string> }>();

  constructor(sources: ConfigSources) {
    this.sources = sources;
  }

  /** All requested settings, in order. */
  get settings(): readonly ResolvedSetting[] {
    return this.#found;
  }

  /** Returns the value of a setting from a flag or variable, including HyperFleet variables. */
  lookup(path: string, aliases: readonly string[]): SettingValue | undefined {
    const { flags, env, cwd } = this.sources;
    const names = [variableOf(path), ...aliases];
    for (const name of names) this.#variables.add(name);
    this.#paths.add(path);
    const flag = flags[path];
    if (flag !== undefined) return { value: flag.text, origin: { kind: "flag", flag: flag.flag }, directory: cwd };
    const name = names.find((each) => (env[each] ?? "") !== "");
    return name === undefined ? undefined : { value: env[name], origin: { kind: "env", name }, directory: cwd };
  }

  /** Records that an object of the file may have a key. */
  declare(path: string, object: JsonObject, name: string): void {
    const known = this.#known.get(path) ?? { object, names: new Set<string>() };
    known.names.add(name);
    this.#known.set(path, known);
  }

  record(setting: ResolvedSetting): void {
    this.#found.push(setting);
  }

  /** Records a problem of a setting. */
  problem(path: string, what: string, origin: SettingSource = { kind: "default" }): void {
    this.#problems.push(
      origin.kind === "default" ? `${path}: ${what}` : `${path}: ${what} (${describeSettingSource(origin)})`,
    );
  }

  /** Throws an `InputError` that lists all problems and unknown settings. */
  throwProblems(): void {
    const all = [...this.#problems, ...this.#unknownKeys(), ...this.#unknownVariables(), ...this.#unknownFlags()];
    const [first] = all;
    if (first === undefined) return;
    throw new InputError(all.join("; "), {
      hint: "list the settings and the source of each with: levelset fleet config",
    });
  }

  #unknownKeys(): readonly string[] {
    const file = this.sources.file?.path ?? "";
    return [...this.#known].flatMap(([path, { object, names }]) => {
      return Object.keys(object)
        .filter((name) => !names.has(name))
        .map((name) => `${path === "" ? name : `${path}.${name}`}: unknown key in ${file}${suggestion(name, names)}`);
    });
  }

  #unknownFlags(): readonly string[] {
    return Object.entries(this.sources.flags)
      .filter(([path]) => !this.#paths.has(path))
      .map(([path, { flag }]) => `${path}: unknown setting (${flag})${suggestion(path, this.#paths)}`);
  }

  #unknownVariables(): readonly string[] {
    return Object.entries(this.sources.env)
      .filter(([name, value]) => name.startsWith(ENV_PREFIX) && value !== undefined && !this.#variables.has(name))
      .filter(([name]) => !this.#isOfOther(name))
      .map(([name]) => `${name}: unknown variable${suggestion(name, this.#variables)}`);
  }

  /** Returns true if a variable belongs to a section of another configuration. */
  #isOfOther(name: string): boolean {
    const [section = ""] = name.slice(ENV_PREFIX.length).toLowerCase().split("_", 1);
    return SECTIONS.includes(section) && ![...this.#paths].some((path) => path.startsWith(`${section}.`));
  }
}

function suggestion(name: string, names: ReadonlySet<string>): string {
  const suggestion = suggestName(name, [...names]);
  return suggestion === undefined ? "" : `, did you mean ${suggestion}?`;
}
