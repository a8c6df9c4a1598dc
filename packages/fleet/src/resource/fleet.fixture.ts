import { decideCreate, decidePatch } from "./resource-change.ts";
import type { AdapterStatus, ReportedStatus } from "./report/adapter-status.ts";
import { decideDelete } from "./deletion.ts";
import { decideReport } from "./report/intake.ts";
import type { Intake } from "./report/intake.ts";
import type { FleetKind } from "./kind/kind.ts";
import { readKinds } from "./kind/fleet-kinds.ts";
import { findResourceCondition } from "./resource.ts";
import type { Resource, ResourceCondition } from "./resource.ts";
import { evaluateResource } from "./evaluate-resource.ts";

/** Returns a separate kind with these fields. */
export function testKind(entity: Readonly<Record<string, unknown>>): FleetKind {
  const [kind] = readKinds([{ kind: "Cluster", plural: "clusters", ...entity }]).all;
  if (kind === undefined) throw new TypeError("there is no kind");
  return kind;
}

/** Content of a report in a test. */
export interface TestReport {
  readonly adapter: string;
  readonly available: ReportedStatus;
  /** Default: True. */
  readonly health?: ReportedStatus;
  readonly generation: number;
  readonly time: number;
  readonly finalized?: ReportedStatus;
  readonly data?: Readonly<Record<string, string>>;
}

/** One resource with its reports, driven through the decisions like in the API. Times are small numbers. */
export class OneResource {
  readonly kind: FleetKind;
  resource: Resource;
  isGone = false;
  children = 0;
  readonly statuses = new Map<string, AdapterStatus>();

  constructor(kind: FleetKind, time = 0) {
    this.kind = kind;
    const created = decideCreate(
      {
        kind,
        id: "c1",
        name: "c-1",
        spec: { version: 0 },
        labels: {},
        references: {},
        tenancy: {},
        parent: undefined,
        basePath: "/api/hyperfleet/v1",
      },
      { by: "user", now: time },
    );
    if (created.kind === "refused") throw new TypeError("a resource without parent is always created");
    this.resource = created.resource;
  }

  report(content: TestReport): Intake {
    const { adapter, available, health = "True", generation, time, finalized, data } = content;
    const conditions = [
      { type: "Available", status: available },
      { type: "Applied", status: "True" as const },
      { type: "Health", status: health },
      ...(finalized === undefined ? [] : [{ type: "Finalized", status: finalized }]),
    ];
    const report = { adapter, observedGeneration: generation, observedTime: time, conditions, ...(data && { data }) };
    const intake = decideReport(report, this.resource, this.statuses.get(adapter));
    if (intake.kind === "verdict" || intake.kind === "progress") this.statuses.set(adapter, intake.status);
    if (intake.kind === "verdict") this.settle(time);
    return intake;
  }

  patch(time: number): void {
    const patch = { spec: { version: this.resource.generation } };
    const decision = decidePatch(this.#current(), patch, { by: "user", now: time });
    if (decision.kind === "changed") this.resource = decision.resource;
  }

  delete(time: number): void {
    const { kind, resource } = this;
    const family = { kind, resource, statuses: [...this.statuses.values()], children: [], referencers: [] };
    const decision = decideDelete(family, { by: "user", now: time });
    if (decision.kind !== "accepted") return;
    this.resource = decision.resource;
    // The decision does not know the children here: they are added.
    this.settle(time);
  }

  settle(causeTime: number): void {
    const settled = evaluateResource({ ...this.#current(), causeTime });
    this.resource = settled.resource;
    this.isGone = settled.kind === "gone";
  }

  condition(type: string): ResourceCondition | undefined {
    return findResourceCondition(this.resource.conditions, type);
  }

  /** Formats a condition as `T@1 lu2 lt3 Reason`. */
  shown(type: string): string {
    const found = this.condition(type);
    if (found === undefined) return "none";
    const { status, observedGeneration, lastUpdatedTime, lastTransitionTime, reason = "" } = found;
    return `${status.charAt(0)}@${observedGeneration} lu${lastUpdatedTime} lt${lastTransitionTime} ${reason}`;
  }

  #current(): { kind: FleetKind; resource: Resource; statuses: readonly AdapterStatus[]; children: number } {
    const { kind, resource, children } = this;
    return { kind, resource, statuses: [...this.statuses.values()], children };
  }
}
