/** A field of a message in a .proto file. */
export interface ProtoField {
  readonly name: string;
  readonly number: number;
  readonly shape: "one" | "list" | "map";
  /** A scalar, a message of the same file, or a message of another package with a leading dot. */
  readonly type: string;
}

/** A .proto file: its package, and its messages by name. */
export interface ProtoFile {
  readonly package: string;
  readonly messages: ReadonlyMap<string, readonly ProtoField[]>;
}

const SINGLE = /^ {2}(optional|repeated) (\S+) (\w+) = (\d+);/u;
const MAP = /^ {2}map<string, (\S+)> (\w+) = (\d+);/u;

/**
 * Parses a `generated.proto` of Kubernetes: proto2 as go-to-protobuf writes it, with one declaration per line and
 * without nested messages.
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
  const [, label, type, name, number] = SINGLE.exec(line) ?? [];
  if (type !== undefined && name !== undefined) {
    return { name, number: Number(number), shape: label === "repeated" ? "list" : "one", type };
  }
  const [, value, mapName, mapNumber] = MAP.exec(line) ?? [];
  if (value === undefined || mapName === undefined) return undefined;
  return { name: mapName, number: Number(mapNumber), shape: "map", type: value };
}
