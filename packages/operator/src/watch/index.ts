/** Watches one collection of a server through cut connections and expired revisions. Begin with `reflector.ts`. */

export type { CallOptions, ListOptions, ListWatch, Page, Selection, WatchEvent, WatchOptions } from "./list-watch.ts";
export { Reflector } from "./reflector.ts";
export type { ReflectedChange, ReflectorHealth, ReflectorOptions } from "./reflector.ts";
export { slim } from "./slim.ts";
