import { apiVersionOf, TransportError } from "@levelset/core";
import type { JsonValue, Kind, KubeObject } from "@levelset/core";
import type { ListPage } from "../watch/index.ts";
import { withDeclaredNumbers } from "./declared-numbers.ts";
import { isMetadataOnly } from "./metadata-only.ts";

/** Desired and actual replicas of an object. */
export interface ScaleCounts {
  readonly replicas: number;
  readonly ready: number;
  /** Label selector of its pods. */
  readonly selector?: string;
}

/**
 * Returns the object of a response. Trusts the server's schema validation. Throws a `TransportError` if it is not an
 * object.
 */
export function objectFromResponse<O extends KubeObject>(kind: Kind, response: JsonValue): O {
  // resourceVersion is not checked: the response to a dry-run create has none.
  if (typeof asRecord(asRecord(response)["metadata"])["name"] !== "string") {
    throw new TransportError(`the server's answer is not a ${kind.kind}`);
  }
  return typedObject(kind, response);
}

/** Returns the page of a list response. Throws a `TransportError` if it is not a list. */
export function pageFromResponse<O extends KubeObject>(kind: Kind, response: JsonValue): ListPage<O> {
  const { items: found, metadata } = asRecord(response);
  const { resourceVersion, continue: token } = asRecord(metadata);
  // The items of an empty metadata list may be null.
  const items = found === null ? [] : found;
  if (!Array.isArray(items) || typeof resourceVersion !== "string") {
    throw new TransportError(`the server's answer is not a list of ${kind.kind}`);
  }
  return {
    items: items.map((item) => typedObject<O>(kind, item)),
    resourceVersion,
    ...(typeof token === "string" && token !== "" ? { continue: token } : {}),
  };
}

/** Returns the scale of a response. Throws a `TransportError` if it is not a scale. */
export function scaleFromResponse(kind: Kind, response: JsonValue): ScaleCounts {
  const { spec, status } = asRecord(response);
  const { replicas = 0 } = asRecord(spec);
  const { replicas: ready = 0, selector } = asRecord(status);
  if (typeof replicas !== "number" || typeof ready !== "number") {
    throw new TransportError(`the server's answer is not the scale of a ${kind.kind}`);
  }
  return { replicas, ready, ...(typeof selector === "string" && selector !== "" ? { selector } : {}) };
}

/**
 * Returns an object of the server as its kind declares it. Adds apiVersion and kind where the server omits them: in
 * lists of built-in kinds and in partial objects.
 */
export function typedObject<O extends KubeObject>(kind: Kind, object: unknown): O {
  const has = asRecord(withDeclaredNumbers(object as JsonValue, kind.schema)); // read from JSON
  const isNamed = typeof has["kind"] === "string" && typeof has["apiVersion"] === "string";
  if (isNamed && !isMetadataOnly(kind)) return has as unknown as O; // checked by the server
  return { ...has, apiVersion: apiVersionOf(kind), kind: kind.kind } as unknown as O;
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
