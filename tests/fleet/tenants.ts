import fc from "fast-check";
import { B } from "./http.ts";
import type { Answer } from "./http.ts";
import type { RunningFleet } from "./running-fleet.ts";
import { freshName, reportBody } from "./user.ts";
import type { FleetUser } from "./user.ts";
import type { WireResource } from "./wire.ts";

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gu;

/** The tenants of the test. */
export const ORGS = ["red", "blue"] as const;
type Org = (typeof ORGS)[number];

/** Something that a tenant does, or the system above them, with what belongs to whomever. */
export interface TenantStep {
  readonly by: Org | "system";
  readonly act: Act;
  /** Chooses among all resources of both tenants. */
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

/** What the system must not do. */
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

/** Something of one tenant. Its marker is in its name, its spec and its labels, and nowhere else. */
interface Owned {
  readonly org: Org;
  readonly resource: WireResource;
}

/** Two tenants at one fleet. Collects whatever one of them learns of the other. */
export class TwoTenants {
  /** What should not have been seen. Ought to be empty. */
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

  /** The system reads and reports as it likes, and declares nothing. */
  async #rule(act: Act, { resource }: Owned): Promise<void> {
    const answer = await this.#ask("system", act, resource);
    const isRefused = answer.refusal === "403 AUZ-001";
    if (isRefused !== DECLARATIONS.includes(act)) this.leaks.push(`the system, ${act}: ${answer.refusal}`);
  }

  async #act(org: Org, act: Act, owned: Owned): Promise<void> {
    const asked = await this.#ask(org, act, owned.resource);
    this.#look(org, `${act} ${owned.resource.id} ${owned.resource.href}`, asked);
    if (owned.org === org) {
      if (asked.status === 201 && asked.resource.id !== undefined) this.#owned.push({ org, resource: asked.resource });
      return;
    }
    if (asked.status < 300 && !isList(act)) this.leaks.push(`${org} ${act}: ${asked.status} on what is not theirs`);
    // Nobody may learn that it exists: what is not there at all must look the same.
    const { href } = owned.resource;
    const absent = {
      ...owned.resource,
      id: crypto.randomUUID(),
      href: href.replaceAll(UUID, () => crypto.randomUUID()),
    };
    const other = await this.#ask(org, act, absent);
    if (told(asked) !== told(other)) this.leaks.push(`${org} ${act}: ${told(asked)} tells more than ${told(other)}`);
  }

  async #create(org: Org, number: number): Promise<void> {
    const kind = number % 3 === 0 ? "Channel" : "Cluster";
    // Names are few, so that tenants meet; markers tell them apart.
    const body = {
      kind,
      name: `${this.#names}-${number % 5}`,
      spec: { marker: `marker-${org}` },
      labels: { marker: `marker-${org}` },
    };
    const answer = await this.#users[org].http.post(`${B}/${kind.toLowerCase()}s`, body);
    this.#look(org, "create", answer);
    const isTaken = this.of(org).some((resource) => resource.kind === kind && resource.name === body.name);
    if (answer.status === 201) this.#owned.push({ org, resource: answer.resource });
    else if (!isTaken) this.leaks.push(`${org} cannot use ${body.name}: ${answer.text}`);
  }

  #ask(org: Org | "system", act: Act, { id, kind, href }: WireResource): Promise<Answer> {
    const { http } = this.#users[org];
    const path = `${B}/resources/${id}`;
    const list = (query: string): Promise<Answer> => http.get(`${B}/resources?size=100&${query}`);
    const search = (text: string): Promise<Answer> => list(`search=${encodeURIComponent(text)}`);
    const declared = { spec: { marker: `marker-${org}` }, labels: { marker: `marker-${org}` } };
    switch (act) {
      case "create":
      case "create pool":
        return http.post(`${B}/clusters/${id}/nodepools`, { kind: "NodePool", name: freshName(), ...declared });
      case "refer": {
        const references = { channel: [{ id }] };
        return http.post(`${B}/clusters`, { kind: "Cluster", name: freshName(), references, ...declared });
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
        return http.get(`${B}/audit?resource_id=${id}`);
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
        return http.get(`${B}/clusters/${id}/nodepools`);
      case "search id":
        return search(`id = '${id}'`);
      case "search marker":
        return search(`spec.marker like 'marker-%' or labels.marker like 'marker-%'`);
      case "search owner":
        return search(`owner_id = '${id}'`);
      case "referrers":
        return http.get(`${B}/clusters?ref_type=channel&ref_target_id=${id}`);
      case "fields":
        return list("fields=spec.marker,tenancy,labels&order=name");
      default:
        return act satisfies never;
    }
  }

  /** No answer has the marker of the other tenant, nor an id of theirs that was not in the question. */
  #look(org: Org, question: string, { text }: Answer): void {
    const other = org === "red" ? "blue" : "red";
    const ids = this.of(other).map(({ id }) => id);
    const seen = ids.filter((id) => !question.includes(id) && text.includes(id));
    if (text.includes(`marker-${other}`) || seen.length > 0) this.leaks.push(`${org} ${question}: ${text}`);
  }
}

function isList(act: Act): boolean {
  return ["list", "audit", "search id", "search marker", "search owner", "referrers", "fields"].includes(act);
}

/** An answer without what differs from request to request. */
function told({ status, text }: Answer): string {
  const time = /\d{4}-\d\d-\d\dT[0-9:.]+Z/gu;
  return `${status} ${text.replaceAll(UUID, "ID").replaceAll(time, "TIME")}`;
}
