import type { JsonObject } from "../json/index.ts";
import { s, Schema } from "../schema/index.ts";
import type { Presence } from "../schema/index.ts";

// Passed on, so that each file of kinds imports one module instead of three: every import costs start-up time.
export { builtIn } from "../kind/index.ts";
export { s } from "../schema/index.ts";

// Most fields of built-in kinds are of a few types and may be left out. These are the short forms of
// `s.string().describe("…").optional()` and the like: one call each, because a thousand of them run at start-up.

/** A field that may be left out. */
export type Optional<Out, In = Out> = Schema<Out, In, "optional">;

/** A field of a declared type that may be left out. */
export function optional<Out, In>(schema: Schema<Out, In>, description: string): Optional<Out, In> {
  return new Schema({ ...schema.structural, description }, "optional");
}

/** A text. */
export function text(description: string): Optional<string> {
  return new Schema({ type: "string", description }, "optional");
}

/** A text that must be given. */
export function given(description: string): Schema<string, string> {
  return new Schema({ type: "string", description }, "required");
}

/** Yes or no. */
export function flag(description: string): Optional<boolean> {
  return new Schema({ type: "boolean", description }, "optional");
}

/** A whole number. */
export function int32(description: string): Optional<number> {
  return new Schema({ type: "integer", format: "int32", description }, "optional");
}

/** A whole number that may be large. */
export function int64(description: string): Optional<number | bigint> {
  return new Schema({ type: "integer", format: "int64", description }, "optional");
}

/** A moment. */
export function time(description: string): Optional<string> {
  return new Schema({ type: "string", format: "date-time", description }, "optional");
}

/** One of the given texts. */
export function choice<const V extends readonly [string, ...string[]]>(
  description: string,
  ...values: V
): Optional<V[number]> {
  return new Schema({ type: "string", enum: values, description }, "optional");
}

/** A number or a text, such as a port or a percentage. */
export function intOrString(description: string): Optional<number | string> {
  return new Schema({ "x-kubernetes-int-or-string": true, description }, "optional");
}

const anyQuantity = s.quantity();
const anyRecord = s.record();
const textList = s.array(s.string()).atomic();
const mapOfText = s.map(s.string());
const mapOfQuantity = s.map(anyQuantity);

/** An amount with a unit. */
export function quantity(description: string): Optional<number | string> {
  return optional(anyQuantity, description);
}

/** Amounts by the name of what they count: cpu, memory, storage, example.com/device. */
export function quantities(description: string): Optional<Readonly<Record<string, number | string>>> {
  return optional(mapOfQuantity, description);
}

/** A list of texts that one writer owns as a whole. */
export function texts(description: string): Optional<readonly string[]> {
  return optional(textList, description);
}

/** Texts by key. */
export function textMap(description: string): Optional<Readonly<Record<string, string>>> {
  return optional(mapOfText, description);
}

/** Any JSON object, kept as it is. */
export function record(description: string): Optional<JsonObject> {
  return optional(anyRecord, description);
}

/** Any JSON object, kept as it is, that one writer owns as a whole. */
export function whole(description: string): Optional<JsonObject> {
  return new Schema({ ...anyRecord.structural, "x-kubernetes-map-type": "atomic", description }, "optional");
}

/** What is spoken below the application. */
export type Protocol = "TCP" | "UDP" | "SCTP";

/** The schema of `Protocol`. */
export const protocol: Schema<Protocol, Protocol> = s.enum("TCP", "UDP", "SCTP");

/**
 * A field with what strategic merge patches do to it: merge a list by the key of its items or as a set, keep only named fields of an
 * object, or replace it. This is older than list types, and differs from them here and there.
 */
export function patched<Out, In, P extends Presence>(
  strategy: "merge" | "merge,retainKeys" | "retainKeys" | "replace",
  field: Schema<Out, In, P>,
  mergeKey?: string,
): Schema<Out, In, P> {
  const key = mergeKey === undefined ? {} : { "x-kubernetes-patch-merge-key": mergeKey };
  return new Schema({ ...field.structural, "x-kubernetes-patch-strategy": strategy, ...key }, field.presence);
}
