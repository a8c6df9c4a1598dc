/**
 * Lists and watches one collection, across lost connections and expired resourceVersions. Begin with `reflector.ts`.
 */

export type {
  CallOptions,
  ListOptions,
  ListWatch,
  ListPage,
  ObjectSelector,
  WatchEvent,
  WatchOptions,
} from "./list-watch.ts";
export { Reflector } from "./reflector.ts";
export type { ReflectedChange, ReflectorHealth, ReflectorOptions, WatchSeconds } from "./reflector.ts";
export { stripManagedFields } from "./strip-managed-fields.ts";
