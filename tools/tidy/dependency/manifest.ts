import { perFile } from "../tree.ts";
import type { SourceTree } from "../tree.ts";

/** The fields of a `package.json` that the rules use. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
  /**
   * Public entries that have sources: subpath (`.`, `./testing`) to path from the manifest's folder (`src/index.ts`).
   */
  readonly entries: Readonly<Record<string, string>>;
  /** Whether it installs a command. */
  readonly hasBin: boolean;
}

/** The condition under which our `exports` maps name sources. */
const SOURCE_CONDITION = "levelset-source";

/** Returns the manifest at a path; undefined if it is missing or not a JSON object. */
export function manifestAt(tree: SourceTree, path: string): Manifest | undefined {
  return tree.has(path) ? parsed(tree, path) : undefined;
}

const parsed = perFile((text) => parseManifest(text));

function parseManifest(text: string): Manifest | undefined {
  const json = parseObject(text);
  if (json === undefined) return undefined;
  return {
    name: typeof json["name"] === "string" ? json["name"] : "",
    version: typeof json["version"] === "string" ? json["version"] : "",
    scripts: strings(json["scripts"]),
    dependencies: strings(json["dependencies"]),
    devDependencies: strings(json["devDependencies"]),
    optionalDependencies: strings(json["optionalDependencies"]),
    peerDependencies: strings(json["peerDependencies"]),
    entries: entriesOf(json["exports"]),
    hasBin: json["bin"] !== undefined,
  };
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const json: unknown = JSON.parse(text);
    return isRecord(json) ? json : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function entriesOf(exports: unknown): Record<string, string> {
  const entries: Record<string, string> = {};
  for (const [subpath, target] of Object.entries(isRecord(exports) ? exports : {})) {
    const source = isRecord(target) ? target[SOURCE_CONDITION] : undefined;
    if (typeof source === "string") entries[subpath] = source.replace(/^\.\//, "");
  }
  return entries;
}

function strings(value: unknown): Record<string, string> {
  const entries = Object.entries(isRecord(value) ? value : {});
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === "string"));
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
