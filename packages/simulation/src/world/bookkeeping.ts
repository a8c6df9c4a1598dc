const LEASES = "leases.coordination.k8s.io";

/** Resources that a manager writes at any time: Events and Leases. */
const BOOKKEEPING: ReadonlySet<string> = new Set(["events", "events.events.k8s.io", LEASES]);

const PATH = /^\/(?:api|apis\/(?<group>[^/]+))\/[^/]+\/(?:namespaces\/[^/]+\/)?(?<plural>[^/]+)/u;

/** Reports whether a resource of the store, `leases.coordination.k8s.io`, is Events or Leases. */
export function isBookkeepingResource(resource: string): boolean {
  return BOOKKEEPING.has(resource);
}

/** Reports whether a request is about Leases, which a manager renews at any time. */
export function isOfLease({ path }: { readonly path: string }): boolean {
  return resourceOf(path) === LEASES;
}

/** Reports whether a request is about Events or Leases. */
export function isBookkeeping({ path }: { readonly path: string }): boolean {
  return isBookkeepingResource(resourceOf(path));
}

/** Returns the resource of a request; empty if the path is not that of a resource. */
function resourceOf(path: string): string {
  const { group, plural = "" } = PATH.exec(path)?.groups ?? {};
  return group === undefined ? plural : `${plural}.${group}`;
}
