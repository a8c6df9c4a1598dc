import type { JsonObject } from "../json/index.ts";
import { s, Schema } from "../schema/index.ts";
import type { Presence } from "../schema/index.ts";

// Re-exported, so that each file of kinds imports one module instead of three: every import costs start-up time.
export { builtIn } from "../kind/index.ts";
export { s } from "../schema/index.ts";

// Most fields of built-in kinds are optional and have one of a few types. These are short forms of
// `s.string().describe("…").optional()` and the like: one call each, because a thousand of them run at start-up.

/** The schema of an optional field. */
export type Optional<Out, In = Out> = Schema<Out, In, "optional">;

/** Returns an optional field with a schema. */
export function optional<Out, In>(schema: Schema<Out, In>, description: string): Optional<Out, In> {
  return new Schema({ ...schema.structural, description }, "optional");
}

/** Returns an optional string field. */
export function optionalString(description: string): Optional<string> {
  return new Schema({ type: "string", description }, "optional");
}

/** Returns a required string field. */
export function requiredString(description: string): Schema<string, string> {
  return new Schema({ type: "string", description }, "required");
}

/** Returns an optional boolean field. */
export function optionalBoolean(description: string): Optional<boolean> {
  return new Schema({ type: "boolean", description }, "optional");
}

/** Returns an optional int32 field. */
export function int32(description: string): Optional<number> {
  return new Schema({ type: "integer", format: "int32", description }, "optional");
}

/** Returns an optional int64 field. */
export function int64(description: string): Optional<number | bigint> {
  return new Schema({ type: "integer", format: "int64", description }, "optional");
}

/** Returns an optional date-time field. */
export function optionalTime(description: string): Optional<string> {
  return new Schema({ type: "string", format: "date-time", description }, "optional");
}

/** Returns an optional enum field. */
export function optionalEnum<const V extends readonly [string, ...string[]]>(
  description: string,
  ...values: V
): Optional<V[number]> {
  return new Schema({ type: "string", enum: values, description }, "optional");
}

/** Returns an optional IntOrString field, such as a port or a percentage. */
export function intOrString(description: string): Optional<number | string> {
  return new Schema({ "x-kubernetes-int-or-string": true, description }, "optional");
}

const anyQuantity = s.quantity();
const anyRecord = s.record();
const textList = s.array(s.string()).atomic();
const mapOfText = s.map(s.string());
const mapOfQuantity = s.map(anyQuantity);

/** Returns an optional quantity field. */
export function quantity(description: string): Optional<number | string> {
  return optional(anyQuantity, description);
}

/** Returns an optional map of quantities by resource name: cpu, memory, storage, example.com/device. */
export function resourceList(description: string): Optional<Readonly<Record<string, number | string>>> {
  return optional(mapOfQuantity, description);
}

/** Returns an optional atomic list of strings. */
export function optionalStrings(description: string): Optional<readonly string[]> {
  return optional(textList, description);
}

/** Returns an optional map of strings. */
export function optionalStringMap(description: string): Optional<Readonly<Record<string, string>>> {
  return optional(mapOfText, description);
}

/** Returns an optional field for any JSON object, without pruning. */
export function optionalJsonObject(description: string): Optional<JsonObject> {
  return optional(anyRecord, description);
}

/** Returns an optional atomic field for any JSON object, without pruning. */
export function atomicJsonObject(description: string): Optional<JsonObject> {
  return new Schema({ ...anyRecord.structural, "x-kubernetes-map-type": "atomic", description }, "optional");
}

/** A transport protocol. */
export type Protocol = "TCP" | "UDP" | "SCTP";

/** The schema of `Protocol`. */
export const protocol: Schema<Protocol, Protocol> = s.enum("TCP", "UDP", "SCTP");

/**
 * Returns a field with its strategic merge patch behaviour: merge a list by key or as a set, retain only named keys of
 * an object, or replace it. It is independent of the list type of server-side apply, and may differ from it.
 */
export function withPatchStrategy<Out, In, P extends Presence>(
  strategy: "merge" | "merge,retainKeys" | "retainKeys" | "replace",
  field: Schema<Out, In, P>,
  mergeKey?: string,
): Schema<Out, In, P> {
  const key = mergeKey === undefined ? {} : { "x-kubernetes-patch-merge-key": mergeKey };
  return new Schema({ ...field.structural, "x-kubernetes-patch-strategy": strategy, ...key }, field.presence);
}
