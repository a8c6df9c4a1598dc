/** How Go encodes a struct field as JSON, from its type and its tags. */
export interface GoField {
  /** Name in JSON; undefined if the field is not in JSON or is inlined. */
  readonly jsonName: string | undefined;
  readonly isInline: boolean;
  readonly isOmitEmpty: boolean;
  /** Whether an object is omitted if all its fields are empty. */
  readonly isOmitZero: boolean;
  readonly isPointer: boolean;
}

/** Struct → protobuf field number → field. */
export type GoStructs = ReadonlyMap<string, ReadonlyMap<number, GoField>>;

/** Parses the structs of gofmt'd sources whose fields have a protobuf number in their tags. */
export function parseGoStructs(sources: readonly string[]): GoStructs {
  const structs = new Map<string, Map<number, GoField>>();
  for (const source of sources) {
    for (const [, name = "", body = ""] of source.matchAll(/^type (\w+) struct \{\n(.*?)^\}/gmsu)) {
      structs.set(name, new Map(body.split("\n").flatMap(parseField)));
    }
  }
  return structs;
}

function parseField(line: string): readonly [number, GoField][] {
  const [, declaration = "", tags = ""] = /^\t([^/`]*)`([^`]*)`/u.exec(line) ?? [];
  const [, number] = /\bprotobuf:"\w+,(\d+)/u.exec(tags) ?? [];
  if (number === undefined) return [];
  const [jsonName = "", ...options] = (/\bjson:"([^"]*)"/u.exec(tags)?.[1] ?? "-").split(",");
  const field: GoField = {
    jsonName: jsonName === "" || jsonName === "-" ? undefined : jsonName,
    isInline: options.includes("inline"),
    isOmitEmpty: options.includes("omitempty"),
    isOmitZero: options.includes("omitzero"),
    isPointer: declaration.trim().split(/\s+/u).at(-1)?.startsWith("*") === true,
  };
  return [[Number(number), field]];
}

/** Returns the names of list types, such as `type ExtraValue []string`. */
export function parseGoLists(sources: readonly string[]): ReadonlySet<string> {
  return new Set(sources.flatMap((source) => [...source.matchAll(/^type (\w+) \[\]/gmu)].map(([, name = ""]) => name)));
}

/** Returns the prefix of the OpenAPI names of a package, from its `zz_generated.model_name.go`. */
export function modelNamePrefix(source: string): string | undefined {
  return /^\treturn "([\w.-]+)\.\w+"$/mu.exec(source)?.[1];
}
