import type { KubeObject } from "./object.ts";

/** Identifies an object of a known kind. `namespace` is absent for cluster-scoped kinds. */
export interface ObjectKey {
  readonly namespace?: string;
  readonly name: string;
}

/** Formats a key as `namespace/name`, or `name` for cluster-scoped kinds. */
export function formatKey(key: ObjectKey): string {
  return key.namespace === undefined ? key.name : `${key.namespace}/${key.name}`;
}

/** Parses a key formatted by `formatKey`. */
export function parseKey(text: string): ObjectKey {
  const slash = text.indexOf("/");
  return slash === -1 ? { name: text } : { namespace: text.slice(0, slash), name: text.slice(slash + 1) };
}

/** Returns the key of an object. */
export function objectKeyOf(object: KubeObject): ObjectKey {
  const { namespace, name } = object.metadata;
  return namespace === undefined ? { name } : { namespace, name };
}

/** Splits an `apiVersion` into group and version. The core group is the empty string. */
export function parseApiVersion(apiVersion: string): { readonly group: string; readonly version: string } {
  const slash = apiVersion.indexOf("/");
  if (slash === -1) return { group: "", version: apiVersion };
  return { group: apiVersion.slice(0, slash), version: apiVersion.slice(slash + 1) };
}

/** Formats group and version as an `apiVersion`. */
export function formatApiVersion(group: string, version: string): string {
  return group === "" ? version : `${group}/${version}`;
}
