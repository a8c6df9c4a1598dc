/**
 * Compares two resourceVersions of one resource: negative if `a` is older. They are decimal numbers of any size.
 * Kubernetes guarantees that they are comparable since 1.35 (KEP-5504).
 */
export function compareResourceVersions(a: string, b: string): number {
  if (a.length !== b.length) return a.length - b.length;
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
