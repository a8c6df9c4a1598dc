import { resolve } from "node:path";
import { formatGoDuration, isJsonObject, toError } from "@levelset/core";
import type { JsonObject } from "@levelset/core";
import type { ConfigReader, Given } from "./config-reader.ts";
import type { Origin } from "./origin.ts";
import {
  readAddress,
  readChoice,
  readDuration,
  readFlag,
  readInteger,
  readPositive,
  readText,
  readTexts,
} from "./reading.ts";
import type { Reading } from "./reading.ts";

/** What is said of a setting. */
export interface SettingOptions<Value> {
  readonly about: string;
  readonly default?: Value;
  /** Variables under which the originals know it. */
  readonly env?: readonly string[];
}

/** The least and the most that a number may be. */
export interface Bounds {
  readonly min: number;
  readonly max: number;
}

/** What stands for a secret. */
const HIDDEN = "(hidden)";

/** The settings below one path. Every one that is asked for is noted; what is wrong is a problem, and its default is used. */
export class Section {
  readonly #reader: ConfigReader;
  readonly #path: string;
  readonly #members: JsonObject;
  /** Whether flags and variables reach it: they do not reach into lists. */
  readonly #isNamed: boolean;

  constructor(reader: ConfigReader, path: string, members: JsonObject, isNamed: boolean) {
    this.#reader = reader;
    this.#path = path;
    this.#members = members;
    this.#isNamed = isNamed;
  }

  /** Whether the file says anything below this key. */
  has(key: string): boolean {
    return this.#members[key] !== undefined && this.#members[key] !== null;
  }

  /** Where relative paths in a setting start from. */
  directory(key: string): string {
    return this.#given(key)?.directory ?? this.#reader.sources.cwd;
  }

  section(key: string): Section {
    const value = this.#member(key);
    const members = value === undefined ? {} : membersOf(value);
    if (members === undefined) this.#reader.problem(this.#at(key), "must be an object");
    return new Section(this.#reader, this.#at(key), members ?? {}, this.#isNamed);
  }

  /** The items of a list of objects. */
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

  /** Data that somebody else reads; undefined if it is not there. */
  data(key: string, about: string): unknown {
    const value = this.#member(key);
    this.#note(key, { about }, value === undefined ? undefined : "(as in the file)");
    return value;
  }

  text(key: string, options: SettingOptions<string>): string | undefined {
    return this.#value(key, options, readText);
  }

  /** Notes that a setting lacks a value. */
  missing(key: string, why: string): void {
    this.#reader.problem(this.#at(key), why);
  }

  /** A text that must be there. */
  required(key: string, about: string): string {
    const value = this.text(key, { about });
    if (value === undefined && !this.has(key)) this.missing(key, "is missing");
    return value ?? "";
  }

  integer(key: string, options: SettingOptions<number> & Bounds): number | undefined {
    return this.#value(key, options, (value) => readInteger(value, options.min, options.max));
  }

  positive(key: string, options: SettingOptions<number>): number | undefined {
    return this.#value(key, options, readPositive);
  }

  /** A duration such as `90s` or `1h30m`, in milliseconds. */
  duration(key: string, options: SettingOptions<number>): number | undefined {
    const show = (ms: number): string => formatGoDuration(BigInt(ms) * 1_000_000n);
    return this.#value(key, options, readDuration, show);
  }

  flag(key: string, options: SettingOptions<boolean>): boolean | undefined {
    return this.#value(key, options, readFlag);
  }

  choice<Choice extends string>(
    key: string,
    choices: readonly Choice[],
    options: SettingOptions<Choice>,
  ): Choice | undefined {
    return this.#value(key, options, (value) => readChoice(value, choices));
  }

  /** Several texts: a list, or one text with commas. */
  texts(key: string, options: SettingOptions<readonly string[]>): readonly string[] | undefined {
    return this.#value(key, options, readTexts, (texts) => texts.join(", "));
  }

  /** The path of a file; one in the configuration file starts from there. */
  path(key: string, options: SettingOptions<string>): string | undefined {
    const given = this.#given(key, options.env);
    const value = this.text(key, options);
    return value === undefined || value === ":memory:"
      ? value
      : resolve(given?.directory ?? this.#reader.sources.cwd, value);
  }

  /** An address that may hold a password, which only variables may bring. */
  address(key: string, options: SettingOptions<string>): string | undefined {
    const given = this.#given(key, options.env);
    const value = this.#value(key, options, readAddress, withoutSecrets);
    if (value !== undefined && given !== undefined && given.origin.kind !== "env" && value !== withoutSecrets(value)) {
      this.#reader.problem(this.#at(key), "must not hold a password: a variable may", given.origin);
    }
    return value;
  }

  /** A secret: from a variable, or from the file that `KEY_file` names. Never shown, and never in the configuration file itself. */
  secret(key: string, options: SettingOptions<never>): string | undefined {
    const file = this.path(`${key}_file`, { about: `${options.about}: a file that holds it` });
    if (this.#member(key) !== undefined) {
      this.#reader.problem(this.#at(key), `does not belong into a configuration file: use ${key}_file`);
      return undefined;
    }
    const given = this.#isNamed ? this.#reader.given(this.#at(key), options.env ?? []) : undefined;
    if (given?.origin.kind === "flag") {
      this.#reader.problem(this.#at(key), `does not belong on a command line: use ${key}_file`, given.origin);
    }
    if (given !== undefined) this.#note(key, options, HIDDEN, given.origin);
    if (typeof given?.value === "string") return given.value;
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

  /** What is given for a setting, by the strongest source. */
  #given(key: string, aliases: readonly string[] = []): Given | undefined {
    const { file, cwd } = this.#reader.sources;
    const value = this.#member(key);
    const named = this.#isNamed ? this.#reader.given(this.#at(key), aliases) : undefined;
    if (named !== undefined) return named;
    const otherwise = this.#reader.sources.defaults?.[this.#at(key)];
    if (value === undefined)
      return otherwise === undefined ? undefined : { value: otherwise, origin: { kind: "default" }, directory: cwd };
    return { value, origin: { kind: "file", path: file?.path ?? "" }, directory: file?.directory ?? cwd };
  }

  #value<Value>(
    key: string,
    options: SettingOptions<Value>,
    read: (value: unknown) => Reading<Value>,
    show: (value: Value) => string = String,
  ): Value | undefined {
    const given = this.#given(key, options.env);
    const reading = given === undefined ? { value: options.default } : read(given.value);
    const isWrong = "wrong" in reading;
    if (isWrong) this.#reader.problem(this.#at(key), reading.wrong, given?.origin);
    const value = isWrong ? options.default : reading.value;
    this.#note(key, options, value === undefined ? undefined : show(value), given?.origin);
    return value;
  }

  #note(
    key: string,
    options: SettingOptions<unknown>,
    shown: string | undefined,
    origin: Origin = this.#originOf(key),
  ): void {
    if (!this.#isNamed) return;
    this.#reader.note({ path: this.#at(key), about: options.about, env: options.env ?? [], shown, origin });
  }

  #originOf(key: string): Origin {
    return this.has(key) ? { kind: "file", path: this.#reader.sources.file?.path ?? "" } : { kind: "default" };
  }

  #member(key: string): unknown {
    this.#reader.know(this.#path, this.#members, key);
    return this.has(key) ? this.#members[key] : undefined;
  }

  #at(key: string): string {
    return this.#path === "" ? key : `${this.#path}.${key}`;
  }
}

/** The members of something that should be an object. */
function membersOf(value: unknown): JsonObject | undefined {
  // It was parsed from YAML of JSON's types, so what is in it is JSON.
  return isJsonObject(value) ? (value as JsonObject) : undefined;
}

/** An address as others may see it: without a password, be it before the host or in the query. */
function withoutSecrets(address: string): string {
  const url = new URL(address);
  const names = [...url.searchParams.keys()].filter((name) => /pass|secret|token|key/iu.test(name));
  if (url.password === "" && names.length === 0) return address;
  if (url.password !== "") url.password = "hidden";
  for (const name of names) url.searchParams.set(name, "hidden");
  return url.href;
}
