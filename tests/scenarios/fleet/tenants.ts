import fc from "fast-check";
import { API_BASE } from "../../support/fleet/http.ts";
import type { FleetResponse } from "../../support/fleet/http.ts";
import type { RunningFleet } from "../../support/fleet/running-fleet.ts";
import { freshName, reportBody } from "../../support/fleet/fleet-user.ts";
import type { FleetUser } from "../../support/fleet/fleet-user.ts";
import type { WireResource } from "../../support/fleet/wire.ts";

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gu;

/** The tenants of the test. */
export const ORGS = ["red", "blue"] as const;
type Org = (typeof ORGS)[number];

/** A step of a tenant or the system, on a resource of either tenant. */
export interface TenantStep {
  readonly by: Org | "system";
  readonly act: Act;
  /** Selects among all resources of both tenants. */
  readonly target: number;
}

const ACTS = [
  "create",
  "create pool",
  "refer",
  "get",
  "get nested",
  "statuses",
  "history",
  "pulse",
  "audit",
  "patch",
  "delete",
  "force",
  "report",
  "list",
  "list pools",
  "search id",
  "search marker",
  "search owner",
  "referrers",
  "fields",
] as const;
type Act = (typeof ACTS)[number];

/** Forbidden for the system. */
const DECLARATIONS: readonly Act[] = ["create", "create pool", "refer", "patch", "delete", "force"];

/** Random steps of both tenants and the system. */
export const tenantSteps: fc.Arbitrary<readonly TenantStep[]> = fc.array(
  fc.record({
    by: fc.constantFrom(...ORGS, ...ORGS, "system" as const),
    act: fc.oneof(
      { weight: 4, arbitrary: fc.constant("create" as const) },
      { weight: 16, arbitrary: fc.constantFrom(...ACTS) },
    ),
    target: fc.nat(1_000),
  }),
  { minLength: 30, maxLength: 60 },
);

/** A resource of one tenant. Its marker is in its name, spec and labels only. */
interface Owned {
  readonly org: Org;
  readonly resource: WireResource;
}

/** Two tenants of one fleet. Collects leaks between them. */
export class TwoTenants {
  /** Detected leaks; must be empty. */
  readonly leaks: string[] = [];
  readonly #users: Readonly<Record<Org | "system", FleetUser>>;
  readonly #owned: Owned[] = [];
  readonly #names = freshName();

  constructor({ user }: RunningFleet) {
    const [red, blue] = [user.with({ "x-org": "red" }), user.with({ "x-org": "blue" })];
    this.#users = { red, blue, system: user.with({ "x-system": "true" }) };
  }

  /** The resources of a tenant. */
  of(org: Org): readonly WireResource[] {
    return this.#owned.filter((owned) => owned.org === org).map(({ resource }) => resource);
  }

  user(org: Org): FleetUser {
    return this.#users[org];
  }

  async take({ by, act, target }: TenantStep): Promise<void> {
    const owned = this.#owned[target % Math.max(1, this.#owned.length)];
    if (by === "system") return owned === undefined ? undefined : this.#rule(act, owned);
    if (owned === undefined || act === "create") return this.#create(by, target);
    return this.#act(by, act, owned);
  }

  /** The system may read and report everything, but may not create, change or delete. */
  async #rule(act: Act, { resource }: Owned): Promise<void> {
    const response = await this.#send("system", act, resource);
    const isRefused = response.problemSummary === "403 AUZ-001";
    if (isRefused !== DECLARATIONS.includes(act)) this.leaks.push(`the system, ${act}: ${response.problemSummary}`);
  }

  async #act(org: Org, act: Act, owned: Owned): Promise<void> {
    const response = await this.#send(org, act, owned.resource);
    this.#checkLeaks(org, `${act} ${owned.resource.id} ${owned.resource.href}`, response);
    if (owned.org === org) {
      if (response.status === 201 && response.resource.id !== undefined)
        this.#owned.push({ org, resource: response.resource });
      return;
    }
    if (response.status < 300 && !isList(act))
      this.leaks.push(`${org} ${act}: ${response.status} on a resource of another tenant`);
    // Existence must not leak: a missing resource must look the same.
    const { href } = owned.resource;
    const absent = {
      ...owned.resource,
      id: crypto.randomUUID(),
      href: href.replaceAll(UUID, () => crypto.randomUUID()),
    };
    const other = await this.#send(org, act, absent);
    if (comparable(response) !== comparable(other))
      this.leaks.push(`${org} ${act}: ${comparable(response)} reveals more than ${comparable(other)}`);
  }

  async #create(org: Org, number: number): Promise<void> {
    const kind = number % 3 === 0 ? "Channel" : "Cluster";
    // There are few names, so that tenants collide; markers distinguish them.
    const body = {
      kind,
      name: `${this.#names}-${number % 5}`,
      spec: { marker: `marker-${org}` },
      labels: { marker: `marker-${org}` },
    };
    const response = await this.#users[org].http.post(`${API_BASE}/${kind.toLowerCase()}s`, body);
    this.#checkLeaks(org, "create", response);
    const isTaken = this.of(org).some((resource) => resource.kind === kind && resource.name === body.name);
    if (response.status === 201) this.#owned.push({ org, resource: response.resource });
    else if (!isTaken) this.leaks.push(`${org} cannot use ${body.name}: ${response.text}`);
  }

  #send(org: Org | "system", act: Act, { id, kind, href }: WireResource): Promise<FleetResponse> {
    const { http } = this.#users[org];
    const path = `${API_BASE}/resources/${id}`;
    const list = (query: string): Promise<FleetResponse> => http.get(`${API_BASE}/resources?size=100&${query}`);
    const search = (text: string): Promise<FleetResponse> => list(`search=${encodeURIComponent(text)}`);
    const declared = { spec: { marker: `marker-${org}` }, labels: { marker: `marker-${org}` } };
    switch (act) {
      case "create":
      case "create pool":
        return http.post(`${API_BASE}/clusters/${id}/nodepools`, { kind: "NodePool", name: freshName(), ...declared });
      case "refer": {
        const references = { channel: [{ id }] };
        return http.post(`${API_BASE}/clusters`, { kind: "Cluster", name: freshName(), references, ...declared });
      }
      case "get":
        return http.get(path);
      case "get nested":
        return http.get(href);
      case "statuses":
        return http.get(`${path}/statuses`);
      case "history":
        return http.get(`${path}/history`);
      case "pulse":
        return http.get(`${path}/pulse`);
      case "audit":
        return http.get(`${API_BASE}/audit?resource_id=${id}`);
      case "patch":
        return http.patch(path, { spec: { marker: `marker-${org}`, at: freshName() } });
      case "delete":
        return http.delete(path);
      case "force":
        return http.post(`${path}/force-delete`, { reason: "test" });
      case "report":
        return http.put(`${path}/statuses`, reportBody("dns", 1, "True", { data: { marker: `marker-${org}` } }));
      case "list":
        return list(`kind=${kind}`);
      case "list pools":
        return http.get(`${API_BASE}/clusters/${id}/nodepools`);
      case "search id":
        return search(`id = '${id}'`);
      case "search marker":
        return search(`spec.marker like 'marker-%' or labels.marker like 'marker-%'`);
      case "search owner":
        return search(`owner_id = '${id}'`);
      case "referrers":
        return http.get(`${API_BASE}/clusters?ref_type=channel&ref_target_id=${id}`);
      case "fields":
        return list("fields=spec.marker,tenancy,labels&order=name");
      default:
        return act satisfies never;
    }
  }

  /** Checks that a response contains neither the marker nor an unknown ID of the other tenant. */
  #checkLeaks(org: Org, question: string, { text }: FleetResponse): void {
    const other = org === "red" ? "blue" : "red";
    const ids = this.of(other).map(({ id }) => id);
    const leaked = ids.filter((id) => !question.includes(id) && text.includes(id));
    if (text.includes(`marker-${other}`) || leaked.length > 0) this.leaks.push(`${org} ${question}: ${text}`);
  }
}

function isList(act: Act): boolean {
  return ["list", "audit", "search id", "search marker", "search owner", "referrers", "fields"].includes(act);
}

/** Returns a response without the parts that differ between requests. */
function comparable({ status, text }: FleetResponse): string {
  const time = /\d{4}-\d\d-\d\dT[0-9:.]+Z/gu;
  return `${status} ${text.replaceAll(UUID, "ID").replaceAll(time, "TIME")}`;
}
