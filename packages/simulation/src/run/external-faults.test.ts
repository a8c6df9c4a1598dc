import { kind, s } from "@levelset/core";
import { ok, operator, step } from "@levelset/operator";
import { expect, test } from "vitest";
import { Campaign } from "../campaign/index.ts";
import type { ExternalWorld } from "../subject/index.ts";
import type { Case } from "./examine.ts";

const Room = kind({ group: "double.levelset.dev", version: "v1", kind: "Room", spec: s.object({}) });
const room = { apiVersion: "double.levelset.dev/v1", kind: "Room", metadata: { name: "a" }, spec: {} };

/** Books rooms, and counts the calls that it refuses. */
class Booking implements ExternalWorld {
  static refused = 0;
  readonly #rooms = new Set<string>();
  #fault: string | undefined;

  calls(): readonly string[] {
    return [];
  }

  live(): readonly string[] {
    return [...this.#rooms];
  }

  failNext(fault: string): void {
    this.#fault = fault;
  }

  endFaults(): void {
    this.#fault = undefined;
  }

  book(name: string): void {
    if (!this.#rooms.has(name)) this.#effect(() => this.#rooms.add(name));
  }

  cancel(name: string): void {
    this.#effect(() => this.#rooms.delete(name));
  }

  #effect(handle: () => void): void {
    const fault = this.#fault;
    this.#fault = undefined;
    if (fault !== undefined) Booking.refused += 1;
    if (fault === "refused") throw new Error("the service refuses the connection");
    handle();
  }
}

test("a fault of a service that does not occur ends with all other faults", async () => {
  const program = () => {
    const external = new Booking();
    const book = step(Room, "Book", {
      do: ({ name }) => {
        external.book(name);
        return ok();
      },
      cleanup: ({ name }) => {
        external.cancel(name);
        return ok();
      },
    });
    return { start: () => operator(Room, [book]), external };
  };
  const campaign = await Campaign.prepare(program, { samples: [room] });
  const recorded: Case = {
    seed: 1,
    faults: [{ kind: "external", at: 1, fault: "refused" }],
    history: {
      operations: [
        { do: "create", object: { ...room, metadata: { name: "a", namespace: "default" } }, afterMs: 60_000 },
        { do: "pass-time", afterMs: 60_000 },
      ],
    },
  };
  expect((await campaign.replay(recorded)).violation).toBeUndefined();
  expect(Booking.refused).toBe(0);
});
