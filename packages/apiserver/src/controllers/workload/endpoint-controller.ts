import {
  controllerReference,
  deepEqual,
  Endpoints,
  EndpointSlice as EndpointSliceKind,
  isAlreadyExists,
  kindId,
  matchLabels,
  Node,
  Service as ServiceKind,
} from "@levelset/core";
import type { NewOf } from "@levelset/core";
import type { Controller } from "../controller.ts";
import type { Change } from "../feed.ts";
import { formatStoreKey, parseStoreKey } from "../owner-index.ts";
import { addressOf, endpointOf, podGroups, takesRequests } from "./endpoints.ts";
import type { EndpointSlice, PodGroup, Service } from "./endpoints.ts";
import { affectedOwners, ownedBy, selectorOf } from "./owned.ts";
import { PodResource } from "./pod.ts";
import type { Pod } from "./pod.ts";
import type { WorkloadWorld } from "./world.ts";

const SERVICE_NAME = "kubernetes.io/service-name";
const MANAGED_BY = "endpointslice.kubernetes.io/managed-by";
const MANAGER = "endpointslice-controller.k8s.io";
const SLICE_MAX = 100;

/** Tells which pods are behind services: in endpoint slices, and in Endpoints for those who still read them. */
export class EndpointController implements Controller {
  readonly name = "endpoint controller";
  readonly #world: WorkloadWorld;

  constructor(world: WorkloadWorld) {
    this.#world = world;
  }

  *affected(change: Change): Iterable<string> {
    yield* affectedOwners(ServiceKind, change);
    const { key, now, before } = change;
    const resource = kindId(ServiceKind);
    if (key.resource === kindId(Endpoints)) yield formatStoreKey({ ...key, resource });
    if (key.resource !== kindId(PodResource)) return;
    for (const service of this.#world.actor.list(ServiceKind, key.namespace)) {
      const selector = selects(service);
      const isConcerned = [now, before].some(
        (record) => record !== undefined && matchLabels(selector, record.object.metadata.labels),
      );
      if (isConcerned) yield formatStoreKey({ resource, namespace: key.namespace, name: service.metadata.name });
    }
  }

  async sync(key: string): Promise<undefined> {
    const { actor } = this.#world;
    const { namespace, name } = parseStoreKey(key);
    const service = actor.get(ServiceKind, namespace, name);
    if (service === undefined) return this.#forget(namespace, name);
    if (service.metadata.deletionTimestamp !== undefined || selects(service).kind === "nothing") return;
    const selector = selects(service);
    const pods = actor
      .list(PodResource, namespace)
      .filter((pod) => matchLabels(selector, pod.metadata.labels) && this.#isPlaced(pod));
    const groups = podGroups(service, pods);
    await this.#slices(service, groups);
    await this.#endpoints(service, groups);
  }

  /** Who knows where a pod is if its node is unknown? */
  #isPlaced({ spec }: Pod): boolean {
    return this.#world.actor.get(Node, "", spec?.nodeName ?? "") !== undefined;
  }

  async #slices(service: Service, groups: readonly PodGroup[]): Promise<void> {
    const { actor } = this.#world;
    const wanted = groups.flatMap((group) => slicesOf(service, group));
    if (wanted.length === 0) wanted.push({ addressType: "IPv4", endpoints: [], ports: null });
    const present = ownedBy(this.#world, service, EndpointSliceKind).filter(
      ({ metadata }) => metadata.labels?.[MANAGED_BY] === MANAGER,
    );
    for (const [index, slice] of wanted.entries()) {
      const known = present[index];
      if (known === undefined) await this.#create(service, slice);
      else if (!deepEqual(contentOf(known), slice)) {
        await actor.change(EndpointSliceKind, known, (old) => ({
          ...old,
          ...slice,
          metadata: { ...old.metadata, labels: labelsOf(service) },
        }));
      }
    }
    for (const surplus of present.slice(wanted.length)) await actor.remove(EndpointSliceKind, surplus);
  }

  async #create(service: Service, content: Content): Promise<void> {
    const { name, namespace = "" } = service.metadata;
    await this.#world.actor.create(EndpointSliceKind, namespace, {
      metadata: {
        generateName: `${name.slice(0, 57)}-`,
        namespace,
        labels: labelsOf(service),
        ownerReferences: [controllerReference(service)],
      },
      ...content,
    });
  }

  async #endpoints(service: Service, groups: readonly PodGroup[]): Promise<void> {
    const { actor } = this.#world;
    const { name, namespace = "", labels } = service.metadata;
    const subsets = subsetsOf(service, groups);
    const present = actor.get(Endpoints, namespace, name);
    if (present !== undefined) {
      if (deepEqual(present.subsets ?? [], subsets)) return;
      await actor.change(Endpoints, present, ({ subsets: _old, ...rest }) =>
        subsets.length === 0 ? rest : { ...rest, subsets },
      );
      return;
    }
    try {
      await actor.create(Endpoints, namespace, {
        metadata: {
          name,
          namespace,
          labels: { ...labels, "endpoints.kubernetes.io/managed-by": "endpoint-controller" },
        },
        ...(subsets.length === 0 ? {} : { subsets }),
      } as NewOf<typeof Endpoints>); // subsets are of the kind that its schema has
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
    }
  }

  /** Endpoints have no owner: they go by name when their service has gone. */
  async #forget(namespace: string, name: string): Promise<undefined> {
    const present = this.#world.actor.get(Endpoints, namespace, name);
    if (present?.metadata.labels?.["endpoints.kubernetes.io/managed-by"] === "endpoint-controller") {
      await this.#world.actor.remove(Endpoints, present);
    }
  }
}

type Content = Pick<EndpointSlice, "addressType" | "endpoints" | "ports">;

/** The labels that pods of a service have; nothing for a service that names its endpoints itself. */
function selects({ spec }: Service): ReturnType<typeof selectorOf> {
  const { selector, type } = spec ?? {};
  if (selector === undefined || type === "ExternalName") return { kind: "nothing" };
  return selectorOf({ matchLabels: selector });
}

function labelsOf({ metadata, spec }: Service): Readonly<Record<string, string>> {
  const headless = spec?.clusterIP === "None" ? { "service.kubernetes.io/headless": "" } : {};
  return { ...metadata.labels, [SERVICE_NAME]: metadata.name, [MANAGED_BY]: MANAGER, ...headless };
}

function contentOf({ addressType, endpoints, ports }: EndpointSlice): Content {
  return { addressType, endpoints: endpoints ?? [], ports: ports ?? null };
}

function slicesOf(service: Service, { pods, ports }: PodGroup): Content[] {
  const named = ports.map((port) => ({ ...port, name: port.name ?? "" }));
  return Array.from({ length: Math.ceil(pods.length / SLICE_MAX) }, (_, index) => ({
    addressType: "IPv4",
    endpoints: pods.slice(index * SLICE_MAX, (index + 1) * SLICE_MAX).map((pod) => endpointOf(service, pod)),
    ports: named as NonNullable<Content["ports"]>, // protocols come from the service, whose schema has the same
  }));
}

function subsetsOf(service: Service, groups: readonly PodGroup[]): readonly unknown[] {
  return groups.flatMap(({ pods, ports }) => {
    const alive = pods.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    if (alive.length === 0) return [];
    const ready = alive.filter((pod) => takesRequests(service, pod)).map((pod) => addressOf(service, pod));
    const unready = alive.filter((pod) => !takesRequests(service, pod)).map((pod) => addressOf(service, pod));
    return [
      {
        ...(ready.length === 0 ? {} : { addresses: ready }),
        ...(unready.length === 0 ? {} : { notReadyAddresses: unready }),
        ...(ports.length === 0 ? {} : { ports }),
      },
    ];
  });
}
