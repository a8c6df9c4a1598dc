/** RFC 3339 in UTC with whole seconds, as Kubernetes writes `metav1.Time`. */
export function timestamp(ms: number): string {
  return `${new Date(Math.floor(ms / 1000) * 1000).toISOString().slice(0, 19)}Z`;
}
