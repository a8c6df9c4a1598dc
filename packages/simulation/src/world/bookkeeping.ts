/** Reports whether a request is about Leases, which a manager renews at any time. */
export function isOfLease({ path }: { readonly path: string }): boolean {
  return path.startsWith("/apis/coordination.k8s.io/");
}

/** Reports whether a request is about Events or Leases. */
export function isBookkeeping(request: { readonly path: string }): boolean {
  return isOfLease(request) || EVENTS.test(request.path);
}

const EVENTS = /^\/(?:api\/v1\/(?:namespaces\/[^/]+\/)?events|apis\/events\.k8s\.io)(?:\/|$)/u;
