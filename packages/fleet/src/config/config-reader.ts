import { InputError } from "@levelset/core";
import type { JsonObject } from "@levelset/core";
import { ENV_PREFIX, OTHER_VARIABLES, variableOf } from "./config-sources.ts";
import type { ConfigSources } from "./config-sources.ts";
import { nearest } from "./nearest.ts";
import { originText } from "./origin.ts";
import type { FoundSetting, Origin } from "./origin.ts";

/** A value that was given for a setting, and by what. */
export interface Given {
  readonly value: unknown;
  readonly origin: Origin;
  /** Where relative paths start from. */
  readonly directory: string;
}

/** Where variables begin that are either a fleet's or an adapter's. One process may be both. */
const SECTIONS: readonly string[] = ["adapter", "api", "clients", "sentinel", "store"];

/**
 * Reads settings out of a file, variables and flags; a flag goes before a variable, a variable before the file. It goes on after a
 * problem, so that all are told at once. What was asked for is what is known: `finish` refuses everything else.
 */
export class ConfigReader {
  readonly sources: ConfigSources;
  readonly #found: FoundSetting[] = [];
  readonly #problems: string[] = [];
  readonly #variables = new Set<string>(OTHER_VARIABLES);
  readonly #paths = new Set<string>();
  /** The members that each object of the file may have, by its path. */
  readonly #known = new Map<string, { readonly object: JsonObject; readonly names: Set<string> }>();

  constructor(sources: ConfigSources) {
    this.sources = sources;
  }

  /** All settings that were asked for, in this order. */
  get found(): readonly FoundSetting[] {
    return this.#found;
  }

  /** What was given for a setting by a flag or a variable, the originals' names of it among them. */
  given(path: string, aliases: readonly string[]): Given | undefined {
    const { flags, env, cwd } = this.sources;
    const names = [variableOf(path), ...aliases];
    for (const name of names) this.#variables.add(name);
    this.#paths.add(path);
    const flag = flags[path];
    if (flag !== undefined) return { value: flag.text, origin: { kind: "flag", flag: flag.flag }, directory: cwd };
    const name = names.find((each) => (env[each] ?? "") !== "");
    return name === undefined ? undefined : { value: env[name], origin: { kind: "env", name }, directory: cwd };
  }

  /** Notes that an object of the file may have a member. */
  know(path: string, object: JsonObject, name: string): void {
    const known = this.#known.get(path) ?? { object, names: new Set<string>() };
    known.names.add(name);
    this.#known.set(path, known);
  }

  note(setting: FoundSetting): void {
    this.#found.push(setting);
  }

  /** Notes what is wrong with a setting. */
  problem(path: string, what: string, origin: Origin = { kind: "default" }): void {
    this.#problems.push(origin.kind === "default" ? `${path}: ${what}` : `${path}: ${what} (${originText(origin)})`);
  }

  /** Throws an InputError that names everything that is wrong or unknown. */
  finish(): void {
    const all = [...this.#problems, ...this.#unknownKeys(), ...this.#unknownVariables(), ...this.#unknownFlags()];
    const [first] = all;
    if (first === undefined) return;
    throw new InputError(all.join("; "), { hint: "levelset fleet config lists the settings, and where each is from" });
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

  /** Whether a variable is in a section that this configuration does not have, but another has. */
  #isOfOther(name: string): boolean {
    const [word = ""] = name.slice(ENV_PREFIX.length).toLowerCase().split("_", 1);
    return SECTIONS.includes(word) && ![...this.#paths].some((path) => path.startsWith(`${word}.`));
  }
}

function suggestion(name: string, names: ReadonlySet<string>): string {
  const meant = nearest(name, [...names]);
  return meant === undefined ? "" : `, did you mean ${meant}?`;
}
