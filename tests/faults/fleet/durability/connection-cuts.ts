import type { RunningFleet } from "../../../support/fleet/running-fleet.ts";
import { API_BASE } from "../../../support/fleet/http.ts";
import type { FleetResponse } from "../../../support/fleet/http.ts";
import { CLUSTER_ADAPTERS, freshName, freshTime, reportBody } from "../../../support/fleet/fleet-user.ts";
import type { FleetUser } from "../../../support/fleet/fleet-user.ts";
import type { WireResource } from "../../../support/fleet/wire.ts";
import type { TcpProxy } from "../../../support/tcp-proxy.ts";

/** A change whose database connection is cut. */
export interface CutMutation {
  readonly name: string;
  /** Creates the preconditions of the change. */
  readonly prepare: (user: FleetUser) => Promise<WireResource>;
  readonly send: (user: FleetUser, prepared: WireResource) => Promise<FleetResponse>;
  /** Returns the effect of the change: `expected` if it took effect once, `prepared` if it did not. */
  readonly effect: (user: FleetUser, prepared: WireResource) => Promise<unknown>;
  readonly expected: unknown;
  /** Minimum number of database messages: one to read if needed, one to commit. */
  readonly messages: 1 | 2;
}

const cluster = (user: FleetUser): Promise<WireResource> => user.cluster();

async function deleting(user: FleetUser): Promise<WireResource> {
  const cluster = await user.cluster();
  await user.pool(cluster.id);
  return (await user.http.delete(cluster.href)).resource;
}

async function almostGone(user: FleetUser): Promise<WireResource> {
  const cluster = await user.cluster();
  const deleted = (await user.http.delete(cluster.href)).resource;
  await user.all(cluster.id, 2, "False", { finalized: "True", adapters: CLUSTER_ADAPTERS.slice(1) });
  return deleted;
}

async function generation(user: FleetUser, { href }: WireResource): Promise<unknown> {
  const response = await user.http.get(href);
  return response.status === 200 ? response.resource.generation : response.status;
}

/** Returns the number of clusters with the name of another one plus `-new`. */
async function namesakes(user: FleetUser, { name }: WireResource): Promise<unknown> {
  const search = encodeURIComponent(`name = '${name}-new'`);
  return (await user.http.get(`${API_BASE}/clusters?search=${search}`)).resources.total;
}

/** Returns the number of reports in the history. */
async function reports(user: FleetUser, { href }: WireResource): Promise<unknown> {
  const response = await user.http.get(`${href}/statuses`);
  const history = await user.http.get(`${href}/history`);
  // The journal is a list of entries under `items`.
  return [response.statuses.total, (history.json as { readonly items: readonly unknown[] }).items.length];
}

/** Every kind of change. */
export const CUT_MUTATIONS: readonly CutMutation[] = [
  {
    name: "create",
    prepare: cluster,
    send: (user, { name }) =>
      user.http.post(`${API_BASE}/clusters`, { kind: "Cluster", name: `${name}-new`, spec: {} }),
    effect: namesakes,
    expected: 1,
    messages: 1,
  },
  {
    name: "patch",
    prepare: cluster,
    send: (user, { href }) => user.http.patch(href, { spec: { changed: freshName() } }),
    effect: generation,
    expected: 2,
    messages: 2,
  },
  {
    name: "report",
    prepare: cluster,
    send: (user, { href }) => user.http.put(`${href}/statuses`, reportBody("dns", 1, "True", { time: freshTime() })),
    effect: reports,
    expected: [1, 1],
    messages: 2,
  },
  {
    name: "delete",
    prepare: cluster,
    send: (user, { href }) => user.http.delete(href),
    effect: generation,
    expected: 2,
    messages: 2,
  },
  {
    name: "force-delete",
    prepare: deleting,
    send: (user, { href }) => user.http.post(`${href}/force-delete`, { reason: "test" }),
    effect: generation,
    expected: 404,
    messages: 2,
  },
  {
    name: "the last report on a resource in deletion",
    prepare: almostGone,
    send: (user, { href }) =>
      user.http.put(`${href}/statuses`, reportBody("validation", 2, "False", { finalized: "True", time: freshTime() })),
    effect: generation,
    expected: 404,
    messages: 1,
  },
];

/** Maximum number of messages at which the connection is cut; more than any change sends. */
const MESSAGES_MAX = 12;

/**
 * Cuts the connection at the first, the second, … message of a change, until there are no more: before the server
 * receives the message, or after its response and before the client receives it. Returns the problems:
 * an acknowledged change that did not take effect once, or a change that took effect twice. `cuts` counts the cut
 * connections.
 */
export async function cutEverywhere(
  fleet: RunningFleet,
  proxy: TcpProxy,
  mutation: CutMutation,
  timing: "before" | "after",
): Promise<{ readonly problems: readonly string[]; readonly cuts: number }> {
  const { user } = fleet;
  const problems: string[] = [];
  let cuts = 0;
  for (let at = 1; at <= MESSAGES_MAX; at++) {
    const prepared = await mutation.prepare(user);
    const before = JSON.stringify(await mutation.effect(user, prepared));
    proxy.cutOnce({ direction: "to server", chunk: at, when: timing === "before" ? "before" : "response" });
    const response = await mutation.send(user, prepared);
    if (proxy.disarm()) break;
    cuts += 1;
    const after = JSON.stringify(await mutation.effect(user, prepared));
    const expected = JSON.stringify(mutation.expected);
    const isExpected =
      response.status < 300 ? after === expected : response.status === 503 && [before, expected].includes(after);
    if (!isExpected)
      problems.push(`${mutation.name}, ${timing} message ${at}: ${response.status} ${response.text}, then ${after}`);
  }
  return { problems, cuts };
}
