import { resolve } from "node:path";
import { formatGoDuration } from "@levelset/core/schema";
import { isJsonObject } from "@levelset/core";
import { toError } from "@levelset/core/internal";
import type { JsonObject } from "@levelset/core";
import type { SettingsReader, SettingValue } from "./settings-reader.ts";
import type { SettingSource } from "./setting-source.ts";
import {
  parseAddress,
  parseChoice,
  parseDurationSetting,
  parseBoolean,
  parseIntegerSetting,
  parsePositive,
  parseText,
  parseTexts,
} from "./parse-setting.ts";
import type { ParsedSetting } from "./parse-setting.ts";

/** Description and default of a setting. */
export interface SettingOptions<Value> {
  readonly about: string;
  readonly default?: Value;
  /** HyperFleet variables for this setting. */
  readonly env?: readonly string[];
}

/** The bounds of a number. */
export interface Bounds {
  readonly min: number;
  readonly max: number;
}

/** Shown in place of a secret. */
const HIDDEN = "(hidden)";

/**
 * The settings below one path. Every requested setting is recorded; an invalid value is recorded as a problem, and the
 * default is used.
 */
export class Section {
  readonly #reader: SettingsReader;
  readonly #path: string;
  readonly #members: JsonObject;
  /** Whether flags and variables can set values here: not inside lists. */
  readonly #isNamed: boolean;

  constructor(reader: SettingsReader, path: string, members: JsonObject, isNamed: boolean) {
    this.#reader = reader;
    this.#path = path;
    this.#members = members;
    this.#isNamed = isNamed;
  }

  /** Returns true if the file contains this key. */
  has(key: string): boolean {
    return this.#members[key] !== undefined && this.#members[key] !== null;
  }

  /** Returns the base directory of relative paths in a setting. */
  directory(key: string): string {
    return this.#lookup(key)?.directory ?? this.#reader.sources.cwd;
  }

  section(key: string): Section {
    const value = this.#member(key);
    const members = value === undefined ? {} : membersOf(value);
    if (members === undefined) this.#reader.problem(this.#at(key), "must be an object");
    return new Section(this.#reader, this.#at(key), members ?? {}, this.#isNamed);
  }

  /** Reads a list of objects. */
  list<Item>(key: string, about: string, read: (item: Section) => Item): readonly Item[] {
    const value = this.#member(key) ?? [];
    const path = this.#at(key);
    this.#note(key, { about }, this.has(key) ? `${Array.isArray(value) ? value.length : 0} of them` : undefined);
    if (!Array.isArray(value)) {
      this.#reader.problem(path, "must be a list");
      return [];
    }
    return value.map((entry: unknown, index) => {
      const members = membersOf(entry);
      if (members === undefined) this.#reader.problem(`${path}[${index}]`, "must be an object");
      return read(new Section(this.#reader, `${path}[${index}]`, members ?? {}, false));
    });
  }

  /** Returns raw data that the caller parses; undefined if it is absent. */
  data(key: string, about: string): unknown {
    const value = this.#member(key);
    this.#note(key, { about }, value === undefined ? undefined : "(as in the file)");
    return value;
  }

  text(key: string, options: SettingOptions<string>): string | undefined {
    return this.#value(key, options, parseText);
  }

  /** Records that a setting has no value. */
  missing(key: string, why: string): void {
    this.#reader.problem(this.#at(key), why);
  }

  /** Reads a required string. */
  required(key: string, about: string): string {
    const value = this.text(key, { about });
    if (value === undefined && !this.has(key)) this.missing(key, "is missing");
    return value ?? "";
  }

  integer(key: string, options: SettingOptions<number> & Bounds): number | undefined {
    return this.#value(key, options, (value) => parseIntegerSetting(value, options.min, options.max));
  }

  positive(key: string, options: SettingOptions<number>): number | undefined {
    return this.#value(key, options, parsePositive);
  }

  /** Reads a duration such as `90s` or `1h30m`, in milliseconds. */
  duration(key: string, options: SettingOptions<number>): number | undefined {
    const show = (ms: number): string => formatGoDuration(BigInt(ms) * 1_000_000n);
    return this.#value(key, options, parseDurationSetting, show);
  }

  boolean(key: string, options: SettingOptions<boolean>): boolean | undefined {
    return this.#value(key, options, parseBoolean);
  }

  choice<Choice extends string>(
    key: string,
    choices: readonly Choice[],
    options: SettingOptions<Choice>,
  ): Choice | undefined {
    return this.#value(key, options, (value) => parseChoice(value, choices));
  }

  /** Reads several strings: a list, or one string with commas. */
  texts(key: string, options: SettingOptions<readonly string[]>): readonly string[] | undefined {
    return this.#value(key, options, parseTexts, (texts) => texts.join(", "));
  }

  /** Reads a file path. A relative path in the configuration file is relative to that file. */
  path(key: string, options: SettingOptions<string>): string | undefined {
    const found = this.#lookup(key, options.env);
    const value = this.text(key, options);
    return value === undefined || value === ":memory:"
      ? value
      : resolve(found?.directory ?? this.#reader.sources.cwd, value);
  }

  /** Reads a URL. A password in it is only allowed in a variable. */
  address(key: string, options: SettingOptions<string>): string | undefined {
    const found = this.#lookup(key, options.env);
    const value = this.#value(key, options, parseAddress, withoutSecrets);
    if (value !== undefined && found !== undefined && found.origin.kind !== "env" && value !== withoutSecrets(value)) {
      this.#reader.problem(this.#at(key), "must not contain a password: use a variable", found.origin);
    }
    return value;
  }

  /**
   * Reads a secret from a variable, or from the file that `KEY_file` names. Never shown, and refused in the
   * configuration file.
   */
  secret(key: string, options: SettingOptions<never>): string | undefined {
    const file = this.path(`${key}_file`, { about: `${options.about}: a file that contains it` });
    if (this.#member(key) !== undefined) {
      this.#reader.problem(this.#at(key), `is not allowed in a configuration file: use ${key}_file`);
      return undefined;
    }
    const found = this.#isNamed ? this.#reader.lookup(this.#at(key), options.env ?? []) : undefined;
    if (found?.origin.kind === "flag") {
      this.#reader.problem(this.#at(key), `is not allowed on a command line: use ${key}_file`, found.origin);
    }
    if (found !== undefined) this.#note(key, options, HIDDEN, found.origin);
    if (typeof found?.value === "string") return found.value;
    return file === undefined ? undefined : this.#secretIn(file, `${key}_file`);
  }

  #secretIn(file: string, key: string): string | undefined {
    try {
      const text = this.#reader.sources.readText(file).trim();
      if (text === "") this.#reader.problem(this.#at(key), `${file} is empty`);
      return text;
    } catch (error) {
      this.#reader.problem(this.#at(key), `cannot be read: ${toError(error).message}`);
      return undefined;
    }
  }

  /** Returns the value of a setting from the source with the highest precedence. */
  #lookup(key: string, aliases: readonly string[] = []): SettingValue | undefined {
    const { file, cwd } = this.#reader.sources;
    const value = this.#member(key);
    const named = this.#isNamed ? this.#reader.lookup(this.#at(key), aliases) : undefined;
    if (named !== undefined) return named;
    const otherwise = this.#reader.sources.defaults?.[this.#at(key)];
    if (value === undefined)
      return otherwise === undefined ? undefined : { value: otherwise, origin: { kind: "default" }, directory: cwd };
    return { value, origin: { kind: "file", path: file?.path ?? "" }, directory: file?.directory ?? cwd };
  }

  #value<Value>(
    key: string,
    options: SettingOptions<Value>,
    read: (value: unknown) => ParsedSetting<Value>,
    show: (value: Value) => string = String,
  ): Value | undefined {
    const found = this.#lookup(key, options.env);
    const reading = found === undefined ? { value: options.default } : read(found.value);
    const isWrong = "problem" in reading;
    if (isWrong) this.#reader.problem(this.#at(key), reading.problem, found?.origin);
    const value = isWrong ? options.default : reading.value;
    this.#note(key, options, value === undefined ? undefined : show(value), found?.origin);
    return value;
  }

  #note(
    key: string,
    options: SettingOptions<unknown>,
    shown: string | undefined,
    origin: SettingSource = this.#originOf(key),
  ): void {
    if (!this.#isNamed) return;
    this.#reader.record({
      path: this.#at(key),
      about: options.about,
      env: options.env ?? [],
      displayValue: shown,
      source: origin,
    });
  }

  #originOf(key: string): SettingSource {
    return this.has(key) ? { kind: "file", path: this.#reader.sources.file?.path ?? "" } : { kind: "default" };
  }

  #member(key: string): unknown {
    this.#reader.declare(this.#path, this.#members, key);
    return this.has(key) ? this.#members[key] : undefined;
  }

  #at(key: string): string {
    return this.#path === "" ? key : `${this.#path}.${key}`;
  }
}

/** Returns the value if it is an object. */
function membersOf(value: unknown): JsonObject | undefined {
  // Parsed from YAML with JSON types only.
  return isJsonObject(value) ? (value as JsonObject) : undefined;
}

/** Returns a URL without passwords, both before the host and in the query. */
function withoutSecrets(address: string): string {
  const url = new URL(address);
  const names = [...url.searchParams.keys()].filter((name) => /pass|secret|token|key/iu.test(name));
  if (url.password === "" && names.length === 0) return address;
  if (url.password !== "") url.password = "hidden";
  for (const name of names) url.searchParams.set(name, "hidden");
  return url.href;
}
