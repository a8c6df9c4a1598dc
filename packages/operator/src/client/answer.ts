import { apiVersionOf, TransportError } from "@levelset/core";
import type { JsonValue, Kind, KubeObject } from "@levelset/core";
import type { Page } from "../watch/index.ts";
import { isMetadataOnly } from "./metadata-only.ts";

/** How many replicas an object wants and has. */
export interface Scale {
  readonly replicas: number;
  readonly ready: number;
  /** Its pods, as a label selector. */
  readonly selector?: string;
}

/** An object from an answer. The server has validated it against the kind's schema. */
export function readObject<O extends KubeObject>(kind: Kind, answer: JsonValue): O {
  // Not the resourceVersion: the answer to a dry run of a create has none.
  if (typeof asRecord(asRecord(answer)["metadata"])["name"] !== "string") {
    throw new TransportError(`the server's answer is not a ${kind.kind}`);
  }
  return typed(kind, answer);
}

/** A page from an answer. */
export function readPage<O extends KubeObject>(kind: Kind, answer: JsonValue): Page<O> {
  const { items: found, metadata } = asRecord(answer);
  const { resourceVersion, continue: token } = asRecord(metadata);
  // An empty list of metadata comes as null.
  const items = found === null ? [] : found;
  if (!Array.isArray(items) || typeof resourceVersion !== "string") {
    throw new TransportError(`the server's answer is not a list of ${kind.kind}`);
  }
  return {
    items: items.map((item) => typed<O>(kind, item)),
    resourceVersion,
    ...(typeof token === "string" && token !== "" ? { continue: token } : {}),
  };
}

/** A scale from an answer. */
export function readScale(kind: Kind, answer: JsonValue): Scale {
  const { spec, status } = asRecord(answer);
  const { replicas = 0 } = asRecord(spec);
  const { replicas: ready = 0, selector } = asRecord(status);
  if (typeof replicas !== "number" || typeof ready !== "number") {
    throw new TransportError(`the server's answer is not the scale of a ${kind.kind}`);
  }
  return { replicas, ready, ...(typeof selector === "string" && selector !== "" ? { selector } : {}) };
}

/** Says what an object is where the server does not: in lists of built-in kinds, and in partial objects. */
export function typed<O extends KubeObject>(kind: Kind, object: unknown): O {
  const has = asRecord(object);
  const isNamed = typeof has["kind"] === "string" && typeof has["apiVersion"] === "string";
  if (isNamed && !isMetadataOnly(kind)) return object as O; // checked by the server
  return { ...has, apiVersion: apiVersionOf(kind), kind: kind.kind } as unknown as O;
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
