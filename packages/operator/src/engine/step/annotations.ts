/** Annotation that enqueues the object at once whenever its value changes. */
export const RECONCILE_ANNOTATION = "levelset.dev/reconcile";
