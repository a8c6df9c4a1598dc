import {
  controllerReference,
  Endpoints,
  EndpointSlice as EndpointSliceKind,
  isAlreadyExists,
  kindId,
  Node,
  Service as ServiceKind,
} from "@levelset/core";
import { deepEqual } from "@levelset/core/internal";
import { matchesLabelSelector } from "@levelset/core/schema";
import type { NewOf } from "@levelset/core";
import type { BuiltinController } from "../../controller.ts";
import type { RecordChange } from "../../change-feed.ts";
import { formatStoreKey, parseStoreKey } from "../../owner-index.ts";
import { endpointAddressOf, endpointOf, podGroups, shouldBeInEndpoints } from "./endpoints.ts";
import type { EndpointSlice, PodGroup, Service } from "./endpoints.ts";
import { affectedOwnerKeys, listOwnedBy, parsedSelectorOf } from "../controller-ref.ts";
import { POD_KIND } from "../pod/pod.ts";
import type { Pod } from "../pod/pod.ts";
import type { WorkloadContext } from "../workload-context.ts";

const SERVICE_NAME = "kubernetes.io/service-name";
const MANAGED_BY = "endpointslice.kubernetes.io/managed-by";
const MANAGER = "endpointslice-controller.k8s.io";
const SLICE_MAX = 100;

/** Publishes the pods of services as EndpointSlices and as Endpoints. */
export class EndpointController implements BuiltinController {
  readonly name = "endpoint controller";
  readonly #context: WorkloadContext;

  constructor(context: WorkloadContext) {
    this.#context = context;
  }

  *affectedKeys(change: RecordChange): Iterable<string> {
    yield* affectedOwnerKeys(ServiceKind, change);
    const { key, current, previous } = change;
    const resource = kindId(ServiceKind);
    if (key.resource === kindId(Endpoints)) yield formatStoreKey({ ...key, resource });
    if (key.resource !== kindId(POD_KIND)) return;
    for (const service of this.#context.client.list(ServiceKind, key.namespace)) {
      const selector = selects(service);
      const isConcerned = [current, previous].some(
        (record) => record !== undefined && matchesLabelSelector(selector, record.object.metadata.labels),
      );
      if (isConcerned) yield formatStoreKey({ resource, namespace: key.namespace, name: service.metadata.name });
    }
  }

  async sync(key: string): Promise<undefined> {
    const { client } = this.#context;
    const { namespace, name } = parseStoreKey(key);
    const service = client.get(ServiceKind, namespace, name);
    if (service === undefined) return this.#forget(namespace, name);
    if (service.metadata.deletionTimestamp !== undefined || selects(service).kind === "nothing") return;
    const selector = selects(service);
    const pods = client
      .list(POD_KIND, namespace)
      .filter((pod) => matchesLabelSelector(selector, pod.metadata.labels) && this.#isPlaced(pod));
    const groups = podGroups(service, pods);
    await this.#slices(service, groups);
    await this.#endpoints(service, groups);
  }

  /** Whether the node of a pod exists. */
  #isPlaced({ spec }: Pod): boolean {
    return this.#context.client.get(Node, "", spec?.nodeName ?? "") !== undefined;
  }

  async #slices(service: Service, groups: readonly PodGroup[]): Promise<void> {
    const { client } = this.#context;
    const desired = groups.flatMap((group) => slicesOf(service, group));
    if (desired.length === 0) desired.push({ addressType: "IPv4", endpoints: [], ports: null });
    const present = listOwnedBy(this.#context, service, EndpointSliceKind).filter(
      ({ metadata }) => metadata.labels?.[MANAGED_BY] === MANAGER,
    );
    for (const [index, slice] of desired.entries()) {
      const known = present[index];
      if (known === undefined) await this.#create(service, slice);
      else if (!deepEqual(contentOf(known), slice)) {
        await client.update(EndpointSliceKind, known, (old) => ({
          ...old,
          ...slice,
          metadata: { ...old.metadata, labels: labelsOf(service) },
        }));
      }
    }
    for (const surplus of present.slice(desired.length)) await client.delete(EndpointSliceKind, surplus);
  }

  async #create(service: Service, content: Content): Promise<void> {
    const { name, namespace = "" } = service.metadata;
    await this.#context.client.create(EndpointSliceKind, namespace, {
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
    const { client } = this.#context;
    const { name, namespace = "", labels } = service.metadata;
    const subsets = subsetsOf(service, groups);
    const present = client.get(Endpoints, namespace, name);
    if (present !== undefined) {
      if (deepEqual(present.subsets ?? [], subsets)) return;
      await client.update(Endpoints, present, ({ subsets: _old, ...rest }) =>
        subsets.length === 0 ? rest : { ...rest, subsets },
      );
      return;
    }
    try {
      await client.create(Endpoints, namespace, {
        metadata: {
          name,
          namespace,
          labels: { ...labels, "endpoints.kubernetes.io/managed-by": "endpoint-controller" },
        },
        ...(subsets.length === 0 ? {} : { subsets }),
      } as NewOf<typeof Endpoints>); // subsets match the schema of the kind
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
    }
  }

  /** Deletes Endpoints by name after the service is gone, because they have no owner. */
  async #forget(namespace: string, name: string): Promise<undefined> {
    const present = this.#context.client.get(Endpoints, namespace, name);
    if (present?.metadata.labels?.["endpoints.kubernetes.io/managed-by"] === "endpoint-controller") {
      await this.#context.client.delete(Endpoints, present);
    }
  }
}

type Content = Pick<EndpointSlice, "addressType" | "endpoints" | "ports">;

/** Returns the pod selector of a service; matches no pods if the service has none. */
function selects({ spec }: Service): ReturnType<typeof parsedSelectorOf> {
  const { selector, type } = spec ?? {};
  if (selector === undefined || type === "ExternalName") return { kind: "nothing" };
  return parsedSelectorOf({ matchLabels: selector });
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
    const ready = alive
      .filter((pod) => shouldBeInEndpoints(service, pod))
      .map((pod) => endpointAddressOf(service, pod));
    const unready = alive
      .filter((pod) => !shouldBeInEndpoints(service, pod))
      .map((pod) => endpointAddressOf(service, pod));
    return [
      {
        ...(ready.length === 0 ? {} : { addresses: ready }),
        ...(unready.length === 0 ? {} : { notReadyAddresses: unready }),
        ...(ports.length === 0 ? {} : { ports }),
      },
    ];
  });
}
