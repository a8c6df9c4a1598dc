/** Objects for tables: at least one of every built-in kind, with varied cells. */

/** A part of an object. */
export type Body = Readonly<Record<string, unknown>>;

/** An object, and the status that is written after its creation. */
export interface TableCase {
  /** Path of the collection. */
  readonly path: string;
  readonly name: string;
  readonly body: Body;
  readonly status?: Body;
}

/** Placeholder for the uid of the StatefulSet `db`, which differs between servers. */
export const UID_OF_DB = "the uid of db";

/** Namespace of the corpus. */
export const TABLE_NAMESPACE = "tables";

/** An object of the corpus. */
export function tableCase(path: string, name: string, body: Body = {}, status?: Body): TableCase {
  const { metadata, ...rest } = body;
  const object = { metadata: { name, ...(metadata as object | undefined) }, ...rest };
  return { path, name, body: object, ...(status === undefined ? {} : { status }) };
}

/** Path of a collection in the namespace of the corpus. */
export const namespacedPath = (group: string, plural: string): string =>
  `${group === "" ? "/api/v1" : `/apis/${group}`}/namespaces/${TABLE_NAMESPACE}/${plural}`;
/** Path of a cluster-scoped collection. */
export const clusterScopedPath = (group: string, plural: string): string =>
  `${group === "" ? "/api/v1" : `/apis/${group}`}/${plural}`;

/** A typical container. */
export const CONTAINER = { name: "app", image: "example.com/app:1" };

/** A template with two containers. */
export const TEMPLATE = {
  metadata: { labels: { app: "x", tier: "y" } },
  spec: { containers: [CONTAINER, { name: "b", image: "example.com/b" }] },
};

/** Selects the pods of `TEMPLATE`. */
export const SELECTOR = { matchLabels: { app: "x" } };

/** Times that render equally on both servers: one so old that seconds are not shown, one for columns without an age. */
export const LONG_AGO = "2001-01-01T00:00:00Z";
export const LATE = "2026-01-02T03:04:05Z";
