import { ConfigMap, Deployment, Job, Namespace, Secret } from "@levelset/core";
import type { JsonObject, Kind, KubeObject, ObjectOf } from "@levelset/core";
import { isCurrent, readyOf } from "@levelset/fleet/client";
import type { WireAdapterStatus, WireResource } from "@levelset/fleet/client";
import { namespaceForCluster } from "../../../examples/06-fleet/kinds.ts";
import type { VirtualSystem } from "../../scenarios/fleet/system/virtual-system.ts";
import type { PulseGate } from "./pulse-gate.ts";
import type { ReportWitness } from "./report-witness.ts";

const CHILD_KINDS: readonly Kind[] = [ConfigMap, Secret, Deployment, Job];
/** The example runs a check again when its result is older than 30 minutes. */
const REFRESH_MS = 25 * 60_000;

/** A resource that is not Ready is pulsed 10 seconds after its latest report; an adapter may report without a pulse. */
const PULSE_MAX_MS = 30_000;

/** Reads the state of a fleet and its cluster, and checks what must hold at all times. */
export class FleetObserver {
  readonly #harness: VirtualSystem;
  readonly #witness: ReportWitness;
  readonly #gate: PulseGate;
  /** Resource that is not Ready → the number of its pulses and reports, and since when they are as many. */
  readonly #pulsed = new Map<string, { readonly count: number; readonly sinceMs: number }>();
  /** The resources that existed at the latest check. */
  #known: ReadonlyMap<string, WireResource> = new Map();
  /** Resource and adapter → the highest generation that its report was about. */
  readonly #reported = new Map<string, number>();
  #violation: string | undefined;

  constructor(harness: VirtualSystem, gate: PulseGate, witness: ReportWitness) {
    this.#harness = harness;
    this.#gate = gate;
    this.#witness = witness;
  }

  /** The first violation; undefined if there is none. */
  get violation(): string | undefined {
    return this.#violation;
  }

  violate(text: string): void {
    this.#violation ??= text;
  }

  /** Checks the conditions and reports of all resources. */
  async check(): Promise<void> {
    const all = await this.#harness.system.all();
    for (const [, resource] of all) {
      const statuses = await this.#statusesOf(resource);
      this.#checkGenerations(resource, statuses);
      this.#checkReady(resource, statuses);
      this.#checkAvailable(resource);
      this.#checkPulses(resource);
    }
    for (const [id, resource] of this.#known) if (!all.has(id)) this.#checkGone(resource);
    this.#known = all;
    const { violation } = this.#witness;
    if (violation !== undefined) this.violate(violation);
  }

  /** Available is True only if every required adapter has reported Available=True for the generation that it names. */
  #checkAvailable({ id, kind, name, status }: WireResource): void {
    const available = status.conditions.find(({ type }) => type === "Available");
    if (available?.status !== "True") return;
    const { observed_generation: generation } = available;
    const missing = this.#witness.withoutAvailable(id, generation, this.#requiredOf(kind));
    if (missing.length > 0)
      this.violate(`${kind} ${name} is Available at generation ${generation} without ${missing.join()}`);
  }

  /** A resource is removed only after every required adapter has finalized its last generation. */
  #checkGone({ id, kind, name, generation }: WireResource): void {
    const missing = this.#witness.withoutFinalized(id, generation, this.#requiredOf(kind));
    if (missing.length > 0) this.violate(`${kind} ${name} is removed before ${missing.join()} has finalized it`);
  }

  /** The Sentinel sends pulses about a resource until it is Ready, also if the broker loses them. */
  #checkPulses(resource: WireResource): void {
    const { id, kind, name } = resource;
    if (readyOf(resource)?.status === "True") {
      this.#pulsed.delete(id);
      return;
    }
    const { now } = this.#harness;
    const count = this.#gate.sentTo(id) + this.#witness.reportsOn(id);
    const before = this.#pulsed.get(id);
    if (before?.count !== count) this.#pulsed.set(id, { count, sinceMs: now });
    else if (now - before.sinceMs >= PULSE_MAX_MS)
      this.violate(
        `${kind} ${name} is not Ready, and there was neither a pulse nor a report for ${(now - before.sinceMs) / 1000} s`,
      );
  }

  #requiredOf(kind: string): readonly string[] {
    return this.#harness.system.kinds.all.find((each) => each.kind === kind)?.requiredAdapters ?? [];
  }

  async #statusesOf({ id }: WireResource): Promise<readonly WireAdapterStatus[]> {
    const found: WireAdapterStatus[] = [];
    for await (const status of this.#harness.system.resources.statuses(id)) found.push(status);
    return found;
  }

  /** The report of an adapter is never replaced by one about an older generation, and never about a future one. */
  #checkGenerations({ id, name, kind, generation }: WireResource, statuses: readonly WireAdapterStatus[]): void {
    for (const { adapter, observed_generation: observed } of statuses) {
      const key = `${id} ${adapter}`;
      const before = this.#reported.get(key) ?? 0;
      if (observed < before)
        this.violate(`the report of ${adapter} about ${kind} ${name} went from generation ${before} to ${observed}`);
      if (observed > generation)
        this.violate(`${adapter} has reported generation ${observed} of ${kind} ${name}, which has ${generation}`);
      this.#reported.set(key, observed);
    }
  }

  /** Ready is True only if every required adapter has reported Available=True for the latest generation. */
  #checkReady(resource: WireResource, statuses: readonly WireAdapterStatus[]): void {
    const ready = readyOf(resource);
    if (ready?.status !== "True" || resource.deleted_time !== undefined) return;
    const missing = this.#requiredOf(resource.kind).filter((adapter) => {
      const report = statuses.find((status) => status.adapter === adapter);
      const isAvailable = report?.conditions.some(({ type, status }) => type === "Available" && status === "True");
      return report === undefined || !isCurrent(resource, report) || isAvailable !== true;
    });
    if (missing.length > 0)
      this.violate(`${resource.kind} ${resource.name} is Ready without a verdict of ${missing.join()}`);
    if (!isCurrent(resource, ready)) this.violate(`Ready of ${resource.kind} ${resource.name} is of an old generation`);
  }

  /** A completed check is not run again before it is due. `touched` are namespaces in which a person deleted objects. */
  checkJobs(): void {
    for (const id of this.#harness.system.declared) {
      const namespace = namespaceForCluster(id);
      const versions = this.#harness.cluster.history(Job, "validation", namespace);
      const jobs = [...Map.groupBy(versions, ({ metadata }) => metadata.uid).values()];
      for (const [index, job] of jobs.entries()) {
        const before = jobs[index - 1]?.at(-1);
        const after = job.at(0);
        if (before === undefined || after === undefined || argsOf(before) !== argsOf(after)) continue;
        const completed = before.status?.completionTime;
        if (completed === undefined) continue;
        const pauseMs = Date.parse(after.metadata.creationTimestamp ?? "") - Date.parse(completed);
        if (pauseMs < REFRESH_MS)
          this.violate(`the check of a cluster ran again ${pauseMs / 1000} s after it completed`);
      }
    }
  }

  /** Returns the state at rest by resource name, in a form that is equal for equal worlds. */
  async end(): Promise<FleetEnd> {
    const resources = [...(await this.#harness.system.all()).values()];
    const names = new Map(resources.map(({ id, name }) => [id, name]));
    const normal = (value: unknown): string =>
      [...names].reduce((text, [id, name]) => text.replaceAll(id, `<${name}>`), JSON.stringify(value));
    const isHealthy = resources.every((resource) => readyOf(resource)?.status === "True");
    const conditions = resources.map(({ kind, name, generation, status, deleted_time: deleted }) => {
      const listed = status.conditions.map(({ type, status: is }) => [type, is] as const);
      const shown = isHealthy ? listed : listed.filter(([type]) => type === "Ready");
      return normal({
        kind,
        name,
        generation,
        isDeleting: deleted !== undefined,
        conditions: Object.fromEntries(shown),
      });
    });
    const objects = isHealthy ? (await this.#children()).map((object) => normal(contentOf(object))) : [];
    return { isHealthy, lines: [...conditions.toSorted(), ...objects.toSorted()] };
  }

  /** Returns what is left of the fleet: resources, and namespaces in the cluster. */
  async left(): Promise<readonly string[]> {
    const resources = [...(await this.#harness.system.all()).values()].map(({ kind, name }) => `${kind} ${name}`);
    const namespaces = (await this.#harness.cluster.list(Namespace)).map(({ metadata }) => metadata.name);
    return [...resources, ...namespaces.filter((name) => name.startsWith("fleet-")).map((name) => `Namespace ${name}`)];
  }

  async #children(): Promise<readonly KubeObject[]> {
    const { cluster } = this.#harness;
    const namespaces = (await cluster.list(Namespace)).map(({ metadata }) => metadata.name);
    const found: KubeObject[] = [];
    for (const namespace of namespaces.filter((name) => name.startsWith("fleet-"))) {
      for (const kind of CHILD_KINDS) {
        const objects: readonly KubeObject[] = await cluster.list<Kind>(kind, namespace);
        found.push(...objects.map((object) => ({ ...object, kind: kind.kind })));
      }
    }
    return found.filter(({ metadata }) => metadata.name !== "kube-root-ca.crt");
  }
}

/** The state of a fleet at rest. */
export interface FleetEnd {
  /** Whether all resources are Ready. Otherwise the objects in the cluster depend on the path. */
  readonly isHealthy: boolean;
  readonly lines: readonly string[];
}

function argsOf({ spec }: ObjectOf<typeof Job>): string {
  return JSON.stringify(spec?.template.spec?.containers[0]?.args);
}

/** Returns the fields that adapters set, without those that the server generates. */
function contentOf(object: KubeObject): JsonObject {
  const { kind, metadata } = object;
  const { spec, data } = object as { readonly spec?: JsonObject; readonly data?: JsonObject };
  const { selector: _selector, template, ...fields } = (spec ?? {}) as Readonly<Record<string, JsonObject>>;
  const inner = (template?.["spec"] ?? {}) as JsonObject;
  return {
    kind,
    namespace: metadata.namespace ?? "",
    name: metadata.name,
    ...(data === undefined ? {} : { data }),
    spec: kind === "Job" ? {} : fields,
    containers: inner["containers"] ?? [],
  };
}
