import { ConfigMap, Deployment, isNotFound, Secret } from "@levelset/core";
import type { JsonObject, Kind } from "@levelset/core";
import { unreachable } from "@levelset/core/internal";
import { isWrite } from "@levelset/core/testing";
import type { FaultyFetch } from "@levelset/core/testing";
import { FleetApiError, readyOf } from "@levelset/fleet/client";
import type { FleetCollection, WireResource } from "@levelset/fleet/client";
import { namespaceForCluster } from "../../../examples/06-fleet/kinds.ts";
import { VirtualSystem } from "../../scenarios/fleet/system/virtual-system.ts";
import { ADAPTERS } from "./fleet-case.ts";
import type { ChildName, FleetCase, FleetFault, FleetOperation } from "./fleet-case.ts";
import { FleetObserver } from "./fleet-observer.ts";
import type { FleetEnd } from "./fleet-observer.ts";
import { describeFleetFault, describeFleetOperation } from "./fleet-story.ts";
import type { FleetEvent } from "./fleet-story.ts";
import { PulseGate } from "./pulse-gate.ts";
import { ReportWitness } from "./report-witness.ts";

/** What one run of a case did. */
export interface FleetRunResult {
  readonly violation: string | undefined;
  readonly end: FleetEnd;
  /** Operations that the API refused, or that had no target. */
  readonly refused: readonly number[];
  readonly events: readonly FleetEvent[];
}

/** Time until all retries have happened. */
const SETTLE_MS = 150_000;
/** Time until a client ends a watch that has delivered nothing. */
const DEAD_WATCH_MS = 900_000;
/** Time until the deletion of everything has ended. */
const DELETION_MS = 90_000;
/** The most steps in which a time passes. After each, crashed adapters are replaced and the state is checked. */
const STEPS_MAX = 4;
const STEP_MS = 10_000;

const CHILD_KIND: Readonly<Record<ChildName, Kind>> = {
  dns: ConfigMap,
  "pull-secret": Secret,
  "control-plane": Deployment,
};
const EDITS: Readonly<Record<ChildName, JsonObject>> = {
  dns: { data: { host: "edited" } },
  "pull-secret": { metadata: { labels: { edited: "true" } } },
  "control-plane": { spec: { replicas: 5 } },
};

/** Performs a case in a new fleet. */
export async function runFleetCase(fleetCase: FleetCase): Promise<FleetRunResult> {
  const gate = new PulseGate();
  const { seed } = fleetCase;
  const witness = new ReportWitness();
  const seams = { through: gate.through, onExchange: witness.observe };
  await using harness = await VirtualSystem.open({ validation: "typescript", seed, ...seams });
  return await new FleetRun(harness, gate, new FleetObserver(harness, gate, witness), fleetCase).run();
}

class FleetRun {
  readonly #harness: VirtualSystem;
  readonly #gate: PulseGate;
  readonly #case: FleetCase;
  readonly #observer: FleetObserver;
  readonly #events: FleetEvent[] = [];
  readonly #refused: number[] = [];
  readonly #startedAt: number;
  readonly #ready = new Map<string, boolean>();
  /** Adapter → when it is started again after a crash. */
  readonly #downUntil = new Map<string, number>();
  /** Adapter → when it reaches its cluster again. */
  readonly #cutUntil = new Map<string, number>();

  constructor(harness: VirtualSystem, gate: PulseGate, observer: FleetObserver, fleetCase: FleetCase) {
    this.#harness = harness;
    this.#gate = gate;
    this.#case = fleetCase;
    this.#observer = observer;
    this.#startedAt = harness.now;
  }

  async run(): Promise<FleetRunResult> {
    const { operations } = this.#case.history;
    for (const [index, operation] of operations.entries()) {
      for (const fault of this.#case.faults.filter(({ at }) => at === index)) this.#arm(fault);
      const isDone = await this.#act(operation);
      if (!isDone) this.#refused.push(index);
      this.#story(`${describeFleetOperation(operation)}${isDone ? "" : " (refused)"}`);
      await this.#pass(operation.afterMs);
    }
    await this.#heal();
    const hasDeadWatch = this.#case.faults.some(({ kind }) => kind === "freeze-watches");
    await this.#pass(hasDeadWatch ? DEAD_WATCH_MS : SETTLE_MS);
    const end = await this.#observer.end();
    this.#observer.checkJobs();
    await this.#deleteAll();
    const { violation } = this.#observer;
    return { violation, end, refused: this.#refused, events: this.#events };
  }

  #story(text: string): void {
    this.#events.push({ atMs: this.#harness.now - this.#startedAt, text });
  }

  /** Lets time pass, replaces crashed adapters, and checks the state. */
  async #pass(ms: number): Promise<void> {
    await this.#harness.untilIdle();
    for (let left = ms; left > 0;) {
      const step = Math.min(left, Math.max(STEP_MS, ms / STEPS_MAX));
      await this.#harness.advance(step);
      left -= step;
      await this.#replaceCrashed();
      await this.#observe();
    }
    if (ms === 0) await this.#observe();
  }

  async #observe(): Promise<void> {
    const { system, now } = this.#harness;
    for (const [adapter, until] of this.#cutUntil) {
      if (now < until) continue;
      this.#cutUntil.delete(adapter);
      system.cut.delete(adapter);
    }
    await this.#observer.check();
    for (const [id, resource] of await system.all()) {
      const isReady = readyOf(resource)?.status === "True";
      if (this.#ready.get(id) !== isReady)
        this.#story(`· ${resource.kind} ${resource.name} is ${isReady ? "" : "not "}Ready`);
      this.#ready.set(id, isReady);
    }
  }

  #faultsOf(adapter: string): FaultyFetch {
    const faults = this.#harness.system.faults.get(adapter);
    if (faults === undefined) throw new TypeError(`there is no adapter ${adapter}`);
    return faults;
  }

  async #replaceCrashed(isForced = false): Promise<void> {
    const { system, now } = this.#harness;
    for (const adapter of ADAPTERS) {
      if (!this.#faultsOf(adapter).isCrashed) continue;
      const until = this.#downUntil.get(adapter) ?? now;
      if (now < until && !isForced) continue;
      await this.#harness.advanceUntil(system.restart(adapter));
      this.#story(`${adapter} is started again after its crash`);
    }
  }

  #arm(fault: FleetFault): void {
    const { system, now } = this.#harness;
    this.#story(`FAULT ${describeFleetFault(fault)}`);
    switch (fault.kind) {
      case "crash":
        this.#downUntil.set(fault.adapter, now + fault.downMs);
        return this.#faultsOf(fault.adapter).failNth(fault.nth, { kind: "crash" }, isWrite);
      case "request":
        return this.#faultsOf(fault.adapter).failNth(fault.nth, fault.fault, isWrite);
      case "report":
        return this.#faultsOf(fault.adapter).failNth(
          fault.nth,
          fault.fault,
          (request) => isWrite(request) && request.path.endsWith("/statuses"),
        );
      case "unreachable":
        system.cut.add(fault.adapter);
        this.#cutUntil.set(fault.adapter, now + fault.downMs);
        return this.#faultsOf(fault.adapter).cutWatches();
      case "cut-watches":
        return this.#faultsOf(fault.adapter).cutWatches();
      case "freeze-watches":
        return this.#faultsOf(fault.adapter).freezeWatches();
      case "cache-lag":
        return this.#faultsOf(fault.adapter).delayResponses(fault.ms);
      case "lose-pulses":
        return this.#gate.lose(fault.count);
      case "repeat-pulses":
        return this.#gate.repeat(fault.count);
      default:
        return unreachable(fault);
    }
  }

  /** Ends all faults. Faults of requests that did not happen stay planned and are of no consequence. */
  async #heal(): Promise<void> {
    this.#gate.heal();
    this.#harness.system.cut.clear();
    this.#cutUntil.clear();
    for (const adapter of ADAPTERS) this.#faultsOf(adapter).delayResponses(0);
    await this.#harness.untilIdle();
    await this.#replaceCrashed(true);
  }

  /** Deletes all resources, and expects that nothing is left. */
  async #deleteAll(): Promise<void> {
    const { system } = this.#harness;
    for (const [id, { kind }] of await system.all()) {
      if (kind === "Cluster") await this.#tolerate(() => system.clusters.delete(id));
    }
    this.#story("a user deletes all clusters");
    await this.#pass(STEP_MS);
    await this.#heal();
    await this.#pass(DELETION_MS);
    const left = await this.#observer.left();
    if (left.length > 0) this.#observer.violate(`after all clusters were deleted, this is left: ${left.join(", ")}`);
  }

  /** Performs an operation. Returns whether the API accepted it. */
  async #act(operation: FleetOperation): Promise<boolean> {
    const { system } = this.#harness;
    switch (operation.do) {
      case "create":
        return this.#tolerate(() => system.cluster(operation.name, operation.spec));
      case "pass-time":
        return true;
      case "repeat-pulse":
        await this.#gate.repeatLatest();
        return true;
      case "restart":
        await this.#harness.advanceUntil(system.restart(operation.adapter));
        return true;
      default:
        return this.#actOn(operation, await this.#cluster(operation.name));
    }
  }

  async #actOn(
    operation: Extract<FleetOperation, { readonly name: string }>,
    cluster: WireResource | undefined,
  ): Promise<boolean> {
    const { system } = this.#harness;
    if (cluster === undefined) return false;
    switch (operation.do) {
      case "patch":
        return this.#tolerate(() => system.clusters.patch(cluster.id, { spec: operation.spec }));
      case "delete":
        return this.#tolerate(() => system.clusters.delete(cluster.id));
      case "create-pool":
        return this.#tolerate(() => system.pool(cluster, "pool", operation.spec));
      case "patch-pool":
        return this.#withPool(cluster, (pools, { id }) => pools.patch(id, { spec: operation.spec }));
      case "delete-pool":
        return this.#withPool(cluster, (pools, { id }) => pools.delete(id));
      case "delete-child":
        return this.#withChild(cluster, operation.child, (kind, name, namespace) =>
          this.#harness.cluster.delete(kind, name, namespace),
        );
      case "edit-child":
        return this.#withChild(cluster, operation.child, (kind, name, namespace) =>
          this.#harness.cluster.patch(kind, name, EDITS[operation.child], namespace),
        );
      case "late-report":
        return this.#lateReport(cluster, operation.adapter);
      default:
        return false;
    }
  }

  /** Returns the cluster of a name that is not being deleted. */
  async #cluster(name: string): Promise<WireResource | undefined> {
    const all = [...(await this.#harness.system.all()).values()];
    return all.find((each) => each.kind === "Cluster" && each.name === name && each.deleted_time === undefined);
  }

  async #withPool(
    cluster: WireResource,
    act: (pools: FleetCollection, pool: WireResource) => Promise<unknown>,
  ): Promise<boolean> {
    const all = [...(await this.#harness.system.all()).values()];
    const pool = all.find(({ kind, owner_references: owner }) => kind === "NodePool" && owner?.id === cluster.id);
    const pools = this.#harness.system.client.collection({ kind: "NodePool", plural: "nodepools" }, cluster);
    return pool !== undefined && this.#tolerate(() => act(pools, pool));
  }

  async #withChild(
    { id }: WireResource,
    child: ChildName,
    act: (kind: Kind, name: string, namespace: string) => Promise<unknown>,
  ): Promise<boolean> {
    try {
      await act(CHILD_KIND[child], child, namespaceForCluster(id));
      return true;
    } catch (error) {
      if (isNotFound(error)) return false;
      throw error;
    }
  }

  async #lateReport({ id, generation }: WireResource, adapter: string): Promise<boolean> {
    if (generation < 2) return false;
    const conditions = [
      { type: "Applied", status: "True", reason: "Late", message: "" },
      { type: "Available", status: "False", reason: "Late", message: "" },
      { type: "Health", status: "True", reason: "Late", message: "" },
    ] as const;
    const observed = { observed_generation: generation - 1, observed_time: new Date(this.#harness.now).toISOString() };
    return this.#tolerate(() => this.#harness.system.clusters.report(id, { adapter, ...observed, conditions }));
  }

  /** Returns whether the API accepted a call. */
  async #tolerate(call: () => Promise<unknown>): Promise<boolean> {
    try {
      await call();
      return true;
    } catch (error) {
      if (error instanceof FleetApiError) return false;
      throw error;
    }
  }
}
