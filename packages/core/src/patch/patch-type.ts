/** Media types of the patches of Kubernetes; `apply` is server-side apply (docs: API concepts, PATCH). */
export const PATCH_TYPES = {
  json: "application/json-patch+json",
  merge: "application/merge-patch+json",
  strategic: "application/strategic-merge-patch+json",
  apply: "application/apply-patch+yaml",
} as const;
