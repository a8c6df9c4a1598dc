/** What happens in a simulated world. Begin with `operation.ts`. */

export { drawHistory } from "./draw-history.ts";
export type { HistoryMaterial, Sample } from "./draw-history.ts";
export { changeManifest } from "./draw-change.ts";
export { freshHistory } from "./fresh-history.ts";
export { formatId, idKey, idOf, MARK_PREFIX } from "./operation.ts";
export type { Action, ChangeKind, ChildEdit, History, Manifest, ObjectId, Operation } from "./operation.ts";
