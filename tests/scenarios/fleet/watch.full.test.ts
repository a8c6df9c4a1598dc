import { randomInt } from "@levelset/core/internal";
import { seededRandom } from "@levelset/core/testing";
import { EVERY_TENANT } from "@levelset/fleet/server";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startPostgres } from "../../support/postgres-server.ts";
import type { PostgresServer } from "../../support/postgres-server.ts";
import { onServer } from "../../support/server-process.ts";
import { EventReader } from "../../support/fleet/event-reader.ts";
import { startFleet } from "../../support/fleet/running-fleet.ts";
import { API_BASE } from "../../support/fleet/http.ts";
import { postgresConfig } from "../../support/fleet/postgres-config.ts";
import type { RunningFleet } from "../../support/fleet/running-fleet.ts";
import type { FleetUser } from "../../support/fleet/fleet-user.ts";
import type { WireResource } from "../../support/fleet/wire.ts";
import { POSTGRESQL } from "../../../tools/system/system-requirement.ts";

const WRITERS = 4;
const CHANGES = 60;

onServer("watches at two APIs on one PostgreSQL", POSTGRESQL, () => {
  let server: PostgresServer | undefined;
  let fleets: readonly RunningFleet[] = [];
  beforeAll(async () => {
    server = await startPostgres();
    const config = postgresConfig(server.url);
    fleets = [await startFleet(config), await startFleet(config)];
  });
  afterAll(async () => {
    for (const fleet of fleets) await fleet[Symbol.asyncDispose]();
    await server?.[Symbol.asyncDispose]();
  });
  const fleetAt = (index: number): RunningFleet => {
    const fleet = fleets[index % fleets.length];
    if (fleet === undefined) throw new Error("the fleets did not start");
    return fleet;
  };

  test("a client that resumes at either API during concurrent writes misses no change and gets no duplicates", async () => {
    const random = seededRandom(5);
    const subscriber = new Subscriber();
    await subscriber.watch(fleetAt(0), (events) => events.some(({ event }) => event === "synced"));
    const writing = Promise.all(
      Array.from({ length: WRITERS }, (_, index) => write(fleetAt(index).user, seededRandom(index))),
    );
    const state = { isWritten: false };
    void writing.then(() => (state.isWritten = true));
    for (let round = 0; !state.isWritten; round += 1) {
      const enough = randomInt(random, 1, 9);
      await subscriber.watch(fleetAt(round), (events) => events.length >= enough || state.isWritten);
    }
    await writing;
    const last = await fleetAt(0).user.cluster();
    await subscriber.watch(fleetAt(1), () => subscriber.mirror.has(last.id));
    const { items } = await fleetAt(0).store.list({
      scope: EVERY_TENANT,
      order: [{ column: "id", direction: "asc" }],
      page: { kind: "page", page: 1, size: 1_000 },
    });
    expect(subscriber.mirror).toEqual(new Map(items.map(({ resource }) => [resource.id, resource.generation])));
    expect(new Set(subscriber.received).size).toBe(subscriber.received.length);
    expect(subscriber.received.length).toBeGreaterThan(CHANGES);
  });
});

/** Creates, changes and removes clusters, one after the other. */
async function write(user: FleetUser, random: ReturnType<typeof seededRandom>): Promise<void> {
  const own: WireResource[] = [];
  for (let at = 0; at < CHANGES; at += 1) {
    const one = own[randomInt(random, 0, own.length - 1)];
    if (one === undefined || random.next() < 0.3) own.push(await user.cluster());
    else if (random.next() < 0.8) await user.http.patch(one.href, { spec: { at } });
    else {
      own.splice(own.indexOf(one), 1);
      await user.http.send("DELETE", one.href);
      await user.http.post(`${one.href}/force-delete`, { reason: "test" });
    }
  }
}

/** A client that watches, disconnects, and resumes. */
class Subscriber {
  /** The state by received events: ID → generation. */
  readonly mirror = new Map<string, number>();
  readonly received: string[] = [];
  #position: string | undefined;

  async watch({ user }: RunningFleet, isEnough: (events: EventReader["events"]) => boolean): Promise<void> {
    const headers = this.#position === undefined ? {} : { "last-event-id": this.#position };
    await using reader = await EventReader.open(user.http, `${API_BASE}/clusters?watch=true`, headers);
    let taken = 0;
    await reader.until((events) => {
      for (const event of events.slice(taken)) this.#take(event);
      taken = events.length;
      return isEnough(reader.events);
    });
  }

  #take({ event, id, data }: EventReader["events"][number]): void {
    this.#position = id ?? this.#position;
    if (event !== "present" && event !== "gone") return;
    const resource = JSON.parse(data) as WireResource; // compared with the store at the end
    this.received.push(`${event} ${data}`);
    if (event === "present") this.mirror.set(resource.id, resource.generation);
    else this.mirror.delete(resource.id);
  }
}
