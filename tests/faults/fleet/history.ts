import { deepEqual } from "@levelset/core/internal";
import { adapterStatusJson, decidePatch, decideReport, resourceJson, evaluateResource } from "@levelset/fleet/model";
import { parseTime } from "@levelset/fleet/internal";
import type { AdapterStatus, Report, Resource } from "@levelset/fleet/model";
import type { FleetKind } from "@levelset/fleet";
import type { HistoryEvent } from "../../../packages/fleet/src/resource/history.fixture.ts";
import { API_BASE } from "../../support/fleet/http.ts";
import type { RunningFleet } from "../../support/fleet/running-fleet.ts";
import { freshTime, reportBody } from "../../support/fleet/fleet-user.ts";
import type { WireResource } from "../../support/fleet/wire.ts";

/** Kinds with one, two and three required adapters, for random histories. */
export const HISTORY_ENTITIES: readonly unknown[] = ["a", "ab", "abc"].map((adapters) => ({
  kind: `Kind${adapters.toUpperCase()}`,
  plural: `kind-${adapters}`,
  required_adapters: adapters.split(""),
}));

/** An in-memory resource that mirrors one behind the API. */
class Mirror {
  readonly kind: FleetKind;
  resource: Resource;
  readonly statuses = new Map<string, AdapterStatus>();

  constructor(kind: FleetKind, wire: WireResource) {
    this.kind = kind;
    const time = timeOf(wire.created_time);
    const { id, name, href, created_by: by } = wire;
    const declared = { id, kind: kind.kind, name, href, spec: {}, labels: {}, references: {}, tenancy: {} };
    const dated = { generation: 1, createdTime: time, updatedTime: time, createdBy: by, updatedBy: by, conditions: [] };
    this.resource = evaluateResource({
      kind,
      resource: { ...declared, ...dated },
      statuses: [],
      children: 0,
      causeTime: time,
    }).resource;
  }

  report(report: Report): number {
    const intake = decideReport(report, this.resource, this.statuses.get(report.adapter));
    if (intake.kind === "invalid") return 400;
    if (intake.kind === "discarded") return intake.httpStatus;
    this.statuses.set(report.adapter, intake.status);
    if (intake.kind === "verdict") this.#settle(report.observedTime);
    return intake.httpStatus;
  }

  patch(spec: { readonly version: number }, time: number): void {
    const { kind, resource } = this;
    const current = { kind, resource, statuses: [...this.statuses.values()], children: 0 };
    const decision = decidePatch(current, { spec }, { by: resource.updatedBy, now: time });
    if (decision.kind === "changed") this.resource = decision.resource;
  }

  /** The expected API response. */
  get shown(): unknown {
    const statuses = [...this.statuses.values()].toSorted((a, b) => (a.adapter < b.adapter ? -1 : 1));
    return { resource: withoutFlapping(resourceJson(this.resource)), statuses: statuses.map(adapterStatusJson) };
  }

  #settle(causeTime: number): void {
    const { kind, resource } = this;
    this.resource = evaluateResource({
      kind,
      resource,
      statuses: [...this.statuses.values()],
      children: 0,
      causeTime,
    }).resource;
  }
}

/** Flapping depends on the intake time of reports, which only the API knows. */
function withoutFlapping(resource: unknown): unknown {
  const { status, ...rest } = resource as WireResource; // both sides show a resource
  return { ...rest, status: { ...status, conditions: status.conditions.filter(({ type }) => type !== "Flapping") } };
}

/**
 * Replays a history against the API and in memory. Returns the first difference after any event; undefined if there is
 * none. Deletions are covered by other scenarios.
 */
export async function firstDifference(
  fleet: RunningFleet,
  kind: FleetKind,
  events: readonly HistoryEvent[],
): Promise<string | undefined> {
  const { user } = fleet;
  const name = `h-${freshTime()}`;
  const created = await user.create(`/${kind.plural}`, { kind: kind.kind, name, spec: {} });
  const mirror = new Mirror(kind, created);
  const path = `${API_BASE}/${kind.plural}/${created.id}`;
  for (const event of events) {
    const difference = await applyEvent(fleet, mirror, path, event);
    if (difference !== undefined) return difference;
    const [resource, statuses] = [await user.http.get(path), await user.http.get(`${path}/statuses?size=100`)];
    const shown = { resource: withoutFlapping(resource.json), statuses: statuses.statuses.items };
    if (!deepEqual(shown, mirror.shown)) return `${JSON.stringify(shown)} is not ${JSON.stringify(mirror.shown)}`;
  }
  return undefined;
}

async function applyEvent(
  { user }: RunningFleet,
  mirror: Mirror,
  path: string,
  event: HistoryEvent,
): Promise<string | undefined> {
  if (event.kind === "report") {
    const generation = Math.max(1, mirror.resource.generation - event.behind);
    const time = freshTime() - event.skew * 7;
    const adapter = "abc".charAt(event.adapter);
    const finalized = event.finalized ? "True" : "False";
    const response = await user.report(path, adapter, generation, event.available, { finalized, time });
    const expected = mirror.report({
      adapter,
      observedGeneration: generation,
      observedTime: time,
      conditions: conditionsOf(event.available, finalized),
    });
    return response.status === expected ? undefined : `answered ${response.status}, not ${expected}`;
  }
  if (event.kind === "patch") {
    const spec = { version: mirror.resource.generation };
    const { resource } = await user.http.patch(path, { spec });
    mirror.patch(spec, timeOf(resource.updated_time));
  }
  return undefined;
}

function conditionsOf(available: string, finalized: string): Report["conditions"] {
  // The body is generated by this test.
  const { conditions } = reportBody("a", 1, available, { finalized }) as Pick<Report, "conditions">;
  return conditions;
}

function timeOf(text: string): number {
  const time = parseTime(text);
  if (time === undefined) throw new TypeError(`no time: ${text}`);
  return time;
}
