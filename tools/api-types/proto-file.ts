/** A field of a message in a .proto file. */
export interface ProtoField {
  readonly name: string;
  readonly number: number;
  readonly shape: "one" | "list" | "map";
  /** A scalar, a message of the same file, or a message of another package with a leading dot. */
  readonly type: string;
  /** Whether it is an alternative of a oneof. */
  readonly isOneof: boolean;
}

/** A .proto file: its package, and its messages by name. */
export interface ProtoFile {
  readonly package: string;
  readonly messages: ReadonlyMap<string, readonly ProtoField[]>;
}

const SINGLE = /^( {2}| {4})(?:optional |(repeated) )?([\w.]+) (\w+) = (\d+);/u;
const MAP = /^ {2}map<string, (\S+)> (\w+) = (\d+);/u;

/**
 * Parses a .proto file in the format of generators: one declaration per line, no nested messages. Fields with a type
 * of the package `google.protobuf` are left out.
 */
export function parseProtoFile(text: string): ProtoFile {
  const messages = new Map<string, ProtoField[]>();
  let fields: ProtoField[] = [];
  let name = "";
  for (const line of text.split("\n")) {
    const [, declared] = /^package (\S+);/u.exec(line) ?? [];
    if (declared !== undefined) name = declared;
    const [, message] = /^message (\w+) \{/u.exec(line) ?? [];
    if (message !== undefined) {
      fields = [];
      messages.set(message, fields);
    }
    const field = parseField(line);
    if (field !== undefined) fields.push(field);
  }
  return { package: name, messages };
}

function parseField(line: string): ProtoField | undefined {
  const [, indent, repeated, type, name, number] = SINGLE.exec(line) ?? [];
  if (type !== undefined && name !== undefined) {
    if (type.startsWith("google.protobuf.")) return undefined;
    const shape = repeated === undefined ? "one" : "list";
    return { name, number: Number(number), shape, type, isOneof: indent?.length === 4 };
  }
  const [, value, mapName, mapNumber] = MAP.exec(line) ?? [];
  if (value === undefined || mapName === undefined) return undefined;
  return { name: mapName, number: Number(mapNumber), shape: "map", type: value, isOneof: false };
}
