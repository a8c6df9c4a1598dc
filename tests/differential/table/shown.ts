/** Objects that tables are made of: at least one of every built-in kind, and what makes their cells differ. */

/** A part of an object. */
export type Body = Readonly<Record<string, unknown>>;

/** An object, and the status that is written after it is there. */
export interface Shown {
  /** Path of its collection. */
  readonly path: string;
  readonly name: string;
  readonly body: Body;
  readonly status?: Body;
}

/** Stands for the uid of the StatefulSet `db`, which each server chooses for itself. */
export const UID_OF_DB = "the uid of db";

/** Where the corpus lives. */
export const PLACE = "tables";

/** An object of the corpus. */
export function shown(path: string, name: string, body: Body = {}, status?: Body): Shown {
  const { metadata, ...rest } = body;
  const object = { metadata: { name, ...(metadata as object | undefined) }, ...rest };
  return { path, name, body: object, ...(status === undefined ? {} : { status }) };
}

/** The collection of a resource in the corpus' namespace. */
export const placed = (group: string, plural: string): string =>
  `${group === "" ? "/api/v1" : `/apis/${group}`}/namespaces/${PLACE}/${plural}`;
/** The collection of a resource without namespaces. */
export const global = (group: string, plural: string): string =>
  `${group === "" ? "/api/v1" : `/apis/${group}`}/${plural}`;

/** A container as most objects have it. */
export const CONTAINER = { name: "app", image: "example.com/app:1" };

/** A template with two containers. */
export const TEMPLATE = {
  metadata: { labels: { app: "x", tier: "y" } },
  spec: { containers: [CONTAINER, { name: "b", image: "example.com/b" }] },
};

/** Selects the pods of `TEMPLATE`. */
export const SELECTOR = { matchLabels: { app: "x" } };

/** Times whose ages are the same on both servers: one so long ago that seconds do not show, one for what shows no age. */
export const LONG_AGO = "2001-01-01T00:00:00Z";
export const LATE = "2026-01-02T03:04:05Z";
