/**
 * Orders two resourceVersions of one resource: negative when `a` is older. They are decimal numbers of any size, comparable
 * since Kubernetes 1.35 by contract and before that by construction.
 */
export function compareResourceVersions(a: string, b: string): number {
  if (a.length !== b.length) return a.length - b.length;
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
