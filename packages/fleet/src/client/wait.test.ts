import { describe, expect, test } from "vitest";
import { isFleetApiError, FleetWaitError } from "./index.ts";
import type { FleetWaitGoal, FleetWaitOptions, FleetWaitProgress, WireResource } from "./index.ts";
import { json, problem, scriptedClient, awaitInVirtualTime, stream } from "./scripted.fixture.ts";
import type { RecordedRequest, ScriptedResponse } from "./scripted.fixture.ts";

const CLUSTER = { kind: "Cluster", plural: "clusters", requiredAdapters: ["dns", "validation"] };
const ID = "1";
const SYNCED = "event: synced\nid: 5\n\n";

interface Shown {
  readonly generation?: number;
  /** `True@2`: a status and its generation. */
  readonly ready?: string;
  readonly available?: string;
  readonly dns?: string;
  readonly validation?: string;
  readonly deleted?: boolean;
  readonly id?: string;
}

function resource({ generation = 1, deleted = false, id = ID, ...statuses }: Shown = {}): WireResource {
  const types = { ready: "Ready", available: "Available", dns: "DnsSuccessful", validation: "ValidationSuccessful" };
  const conditions = Object.entries(types).flatMap(([key, type]) => {
    const [status, observed] = (statuses[key as keyof typeof statuses] ?? "").split("@");
    if (status === "") return [];
    const [reason, message] = status === "False" ? [`${type}No`, `${type} is not there`] : ["Ok", "all is well"];
    return [{ type, status, reason, message, observed_generation: Number(observed) }];
  });
  const deletion = deleted ? { deleted_time: "2026-01-01T00:00:00Z", deleted_by: "ann" } : {};
  // What the wait reads of a resource.
  return {
    id,
    kind: "Cluster",
    name: "eu-1",
    generation,
    ...deletion,
    status: { conditions },
  } as unknown as WireResource;
}

const present = (shown: Shown = {}): string => `event: present\nid: 1\ndata: ${JSON.stringify(resource(shown))}\n\n`;
const gone = (shown: Shown = {}): string => `event: gone\nid: 2\ndata: ${JSON.stringify(resource(shown))}\n\n`;
const read = (shown: Shown = {}): Response => json(resource(shown));

interface Waited {
  readonly result: WireResource | undefined | Error;
  readonly requests: readonly RecordedRequest[];
  readonly progress: readonly FleetWaitProgress[];
}

/** Waits against a script in virtual time. */
async function wait(
  script: readonly ScriptedResponse[],
  goal: FleetWaitGoal = "ready",
  options: FleetWaitOptions = {},
): Promise<Waited> {
  const { client, requests, clock } = scriptedClient(script);
  const progress: FleetWaitProgress[] = [];
  const onProgress = (state: FleetWaitProgress): void => void progress.push(state);
  const waiting = client.collection(CLUSTER).waitUntilReady(ID, { for: goal, idleMs: 5_000, onProgress, ...options });
  // An error is a result here.
  const result = await awaitInVirtualTime(clock, waiting).catch((error: unknown) => error as Error);
  return { result, requests, progress };
}

const states = ({ progress }: Waited): readonly string[] =>
  progress.map(({ kind, state, generation, observedGeneration, reason, message }) =>
    [`${kind} ${state}`, `${observedGeneration ?? "?"} of ${generation}`, reason ?? "", message].join(" | "),
  );

describe("a wait for Ready", () => {
  test("ends with the first read if the resource is ready", async () => {
    const waited = await wait([read({ generation: 2, ready: "True@2" })]);
    expect(waited.result).toMatchObject({ generation: 2 });
    expect(waited.requests.map(({ path }) => path)).toEqual(["/api/hyperfleet/v1/clusters/1"]);
    expect(states(waited)).toEqual(["reached Ready | 2 of 2 | Ok | all is well"]);
  });

  test("watches only this resource, and names the adapters that it waits for", async () => {
    const waited = await wait([
      read({ generation: 2, ready: "False@2" }),
      stream(
        present({ generation: 2, ready: "False@2", dns: "True@1", validation: "True@1" }) +
          SYNCED +
          present({ generation: 2, ready: "False@2", dns: "False@2", validation: "True@1" }) +
          present({ generation: 2, ready: "False@2", dns: "False@2", validation: "True@2" }) +
          present({ generation: 2, ready: "True@2", dns: "True@2", validation: "True@2" }),
      ),
    ]);
    expect(waited.result).toMatchObject({ id: ID });
    expect(waited.requests[1]?.path).toBe("/api/hyperfleet/v1/clusters?watch=true&search=id+%3D+%271%27");
    expect(waited.requests).toHaveLength(2);
    expect(states(waited)).toEqual([
      "waiting Unknown | 2 of 2 | ReadyNo | no result for generation 2 from dns, validation",
      "waiting Progressing | 2 of 2 | ReadyNo | no result for generation 2 from dns, validation",
      "waiting Degraded | 2 of 2 | DnsSuccessfulNo | dns: DnsSuccessfulNo: DnsSuccessful is not there; no result for generation 2 from validation",
      "waiting Degraded | 2 of 2 | DnsSuccessfulNo | dns: DnsSuccessfulNo: DnsSuccessful is not there",
      "reached Ready | 2 of 2 | Ok | all is well",
    ]);
  });

  test.each<readonly [string, Shown, number | undefined]>([
    ["an older generation", { generation: 3, ready: "True@2" }, undefined],
    ["a later generation than the spec", { generation: 2, ready: "True@3" }, undefined],
    ["a generation before the client's own write", { generation: 2, ready: "True@2" }, 3],
    ["no generation at all", { generation: 2, ready: "True@NaN" }, undefined],
  ])("does not end with Ready=True for %s", async (_what, shown, generation) => {
    const last = { generation: 4, ready: "True@4" };
    const script = [read(shown), stream(present(shown) + SYNCED + present(shown) + present(last))];
    const waited = await wait(script, "ready", { generation });
    expect(waited.result).toMatchObject({ generation: 4 });
    expect(waited.progress.map(({ kind }) => kind)).toEqual(["waiting", "waiting", "waiting", "reached"]);
  });

  test("reports the generation of a condition if it waits for another one", async () => {
    const shown = { generation: 3, ready: "True@2", dns: "True@3", validation: "True@3" };
    const waited = await wait([read(shown), stream(present(shown) + SYNCED + present({ ...shown, ready: "True@3" }))]);
    expect(states(waited)[0]).toBe(
      "waiting Progressing | 2 of 3 | OtherGeneration | Ready is about generation 2, the resource is at 3",
    );
  });

  test("ignores an event that is older than the last read", async () => {
    const script = [
      read({ generation: 2, ready: "False@2" }),
      stream(present({ generation: 1, ready: "True@1" }) + SYNCED + present({ generation: 2, ready: "True@2" })),
    ];
    expect((await wait(script)).result).toMatchObject({ generation: 2 });
  });

  test("treats a kind without required adapters as ready at the requested generation", async () => {
    expect((await wait([read()])).result).toMatchObject({ id: ID });
    const script = [read(), stream(present() + SYNCED + present({ generation: 2 }))];
    expect((await wait(script, "ready", { generation: 2 })).result).toMatchObject({ generation: 2 });
  });

  test("resumes a broken watch, and restarts when its position has expired", async () => {
    const script = [
      read({ ready: "False@1" }),
      stream(present({ ready: "False@1" }) + SYNCED, "break"),
      new TypeError("fetch failed"),
      problem(503, "SVC-001", "restarting"),
      stream(": beat\n\n"),
      problem(410, "NTF-004", "too old"),
      stream(present({ ready: "False@1" }), "break"),
      stream(present({ ready: "False@1" }) + SYNCED),
      stream(present({ ready: "True@1" })),
    ];
    const waited = await wait(script);
    expect(waited.result).toMatchObject({ generation: 1 });
    expect(waited.requests.filter(({ path }) => !path.includes("watch="))).toHaveLength(1);
  });

  test("ignores events of other resources", async () => {
    const script = [
      read({ ready: "False@1" }),
      stream(present({ id: "2", ready: "True@1" }) + present({ ready: "False@1" }) + SYNCED),
      stream(gone({ id: "2" }) + present({ ready: "True@1" })),
    ];
    expect((await wait(script)).result).toMatchObject({ id: ID });
  });

  test("rejects at once if the resource does not exist", async () => {
    const { result, requests } = await wait([problem(404, "NTF-001", "there is no Cluster 1")]);
    expect(isFleetApiError(result, "notFound")).toBe(true);
    expect(requests).toHaveLength(1);
  });

  test("rejects if the resource is deleted or being deleted", async () => {
    const before = read({ ready: "False@1" });
    const deleted = await wait([before, stream(present({ ready: "False@1" }) + SYNCED + gone())]);
    expect(deleted.result).toBeInstanceOf(FleetWaitError);
    expect(deleted.result).toMatchObject({
      message: "Cluster eu-1 does not become ready: it was deleted",
      progress: { kind: "deleted", state: "Unknown" },
    });
    // Ready=True of a resource that is being deleted means that its adapters have finalized it.
    const deleting = await wait([read({ generation: 2, deleted: true, ready: "True@2" })]);
    expect(deleting.result).toMatchObject({
      message:
        "Cluster eu-1 does not become ready: it is being deleted (deletion requested at 2026-01-01T00:00:00Z by ann)",
      progress: { kind: "deleted", state: "Deleting" },
    });
  });

  test.each(["expired", "never listed"])(
    "rejects when the resource was deleted while the watch was %s",
    async (how) => {
      const first =
        how === "expired" ? [stream(present({ ready: "False@1" }) + SYNCED), problem(410, "NTF-004", "old")] : [];
      const { result } = await wait([read({ ready: "False@1" }), ...first, stream(SYNCED)]);
      expect(result).toMatchObject({ name: "FleetWaitError", progress: { kind: "deleted", state: "Unknown" } });
    },
  );

  test("ends with its signal, and with an error of its progress callback", async () => {
    const stop = new AbortController();
    const silent: ScriptedResponse = () => new Response(new ReadableStream());
    const script = [read({ ready: "False@1" }), silent];
    const { client } = scriptedClient(script);
    const waiting = client.collection(CLUSTER).waitUntilReady(ID, { signal: stop.signal });
    stop.abort();
    await expect(waiting).rejects.toMatchObject({ name: "AbortError" });
    const onProgress = (): never => {
      throw new RangeError("enough");
    };
    expect((await wait([read({ ready: "False@1" })], "ready", { onProgress })).result).toMatchObject({
      name: "RangeError",
    });
  });
});

describe("a wait for Available", () => {
  test("ends with Available=True at any generation, or at the requested one", async () => {
    const old = { generation: 3, ready: "False@3", available: "True@2" };
    const waited = await wait([read(old)], "available");
    expect(waited.progress.at(-1)).toMatchObject({ kind: "reached", observedGeneration: 2, generation: 3 });
    const later = { generation: 3, ready: "True@3", available: "True@3" };
    const script = [read(old), stream(present(old) + SYNCED + present(later))];
    const requests = await wait(script, "available", { generation: 3 });
    expect(requests.progress.map(({ kind, observedGeneration }) => `${kind} ${observedGeneration}`)).toEqual([
      "waiting 2",
      "waiting 2",
      "reached 3",
    ]);
  });

  test("does not end with Available=True for a generation that the resource does not have", async () => {
    const ahead = { generation: 2, available: "True@3" };
    const script = [read(ahead), stream(present(ahead) + SYNCED + present({ generation: 2, available: "True@2" }))];
    expect((await wait(script, "available")).progress.map(({ kind }) => kind)).toEqual([
      "waiting",
      "waiting",
      "reached",
    ]);
  });
});

describe("a wait for a deletion", () => {
  test("ends at once if the resource does not exist", async () => {
    const { result, requests, progress } = await wait([problem(404, "NTF-001", "there is none")], "deleted");
    expect([result, requests.length, progress]).toEqual([undefined, 1, []]);
  });

  test("continues while the resource exists, and ends when it is removed, even if its name is reused", async () => {
    const waited = await wait(
      [
        read({ ready: "True@1" }),
        stream(present({ ready: "True@1" }) + SYNCED + present({ generation: 2, deleted: true, ready: "False@2" })),
        stream(present({ id: "2", ready: "True@1" }) + gone({ id: "2" }) + gone({ generation: 2, deleted: true })),
      ],
      "deleted",
    );
    expect(waited.result).toMatchObject({ id: ID, generation: 2 });
    expect(states(waited)).toEqual([
      "waiting Ready | 1 of 1 | NotDeleting | is not being deleted",
      "waiting Ready | 1 of 1 | NotDeleting | is not being deleted",
      "waiting Deleting | 2 of 2 | ReadyNo | Ready is not there",
      "reached Unknown | ? of 2 |  | was deleted",
    ]);
  });
});
