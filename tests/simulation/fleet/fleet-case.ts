import type { JsonObject, Random } from "@levelset/core";
import { randomInt } from "@levelset/core/internal";

/** The adapters of clusters in the example, all made of steps. */
export const CLUSTER_ADAPTERS = ["validation", "dns", "pullsecret", "hypershift"] as const;
/** All adapters, by kind and name. */
export const ADAPTERS = [
  ...CLUSTER_ADAPTERS.map((name) => `clusters/${name}`),
  "nodepools/validation",
  "nodepools/hypershift",
] as const;

/** The objects of a cluster that a person may delete or edit. */
export type ChildName = "dns" | "pull-secret" | "control-plane";

/** What users and other people do. */
export type FleetAction =
  | { readonly do: "create"; readonly name: string; readonly spec: JsonObject }
  | { readonly do: "patch"; readonly name: string; readonly spec: JsonObject }
  | { readonly do: "delete"; readonly name: string }
  | { readonly do: "create-pool"; readonly name: string; readonly spec: JsonObject }
  | { readonly do: "patch-pool"; readonly name: string; readonly spec: JsonObject }
  | { readonly do: "delete-pool"; readonly name: string }
  | { readonly do: "delete-child"; readonly name: string; readonly child: ChildName }
  | { readonly do: "edit-child"; readonly name: string; readonly child: ChildName }
  /** A report about the generation before the latest, as of a replica that was paused. */
  | { readonly do: "late-report"; readonly name: string; readonly adapter: string }
  /** The broker delivers the latest pulse again. */
  | { readonly do: "repeat-pulse" }
  | { readonly do: "restart"; readonly adapter: string }
  | { readonly do: "pass-time" };

/** An action, and the time after it. */
export type FleetOperation = FleetAction & { readonly afterMs: number };

/** What breaks. `nth` counts the writes of the adapter from there on, to the API and to its cluster. */
export type FleetFaultEffect =
  | { readonly kind: "crash"; readonly adapter: string; readonly nth: number; readonly downMs: number }
  | { readonly kind: "request"; readonly adapter: string; readonly nth: number; readonly fault: RequestFault }
  | { readonly kind: "report"; readonly adapter: string; readonly nth: number; readonly fault: RequestFault }
  | { readonly kind: "unreachable"; readonly adapter: string; readonly downMs: number }
  | { readonly kind: "cut-watches" | "freeze-watches"; readonly adapter: string }
  | { readonly kind: "cache-lag"; readonly adapter: string; readonly ms: number }
  | { readonly kind: "lose-pulses" | "repeat-pulses"; readonly count: number };

/** What happens to one request. */
export type RequestFault =
  | { readonly kind: "refused" | "response-lost" | "duplicate" }
  | { readonly kind: "delay"; readonly ms: number }
  | { readonly kind: "status"; readonly reason: "InternalError" | "Conflict" | "TooManyRequests" };

/** A fault, and the operation during which it occurs. */
export type FleetFault = FleetFaultEffect & { readonly at: number };

/** A history of a fleet with its faults. */
export interface FleetCase {
  readonly seed: number;
  readonly history: { readonly operations: readonly FleetOperation[] };
  readonly faults: readonly FleetFault[];
}

const OPERATIONS_MAX = 6;
const FAULTS_MAX = 3;
const PAUSES_MS = [0, 0, 200, 1_000, 1_000, 10_000, 60_000, 60_000, 2_400_000];
const VERSIONS = ["1.0", "1.1", "1.2", "does-not-exist"];
const REGIONS = ["eu", "us"];
const CHILDREN: readonly ChildName[] = ["dns", "pull-secret", "control-plane"];
const REQUEST_FAULTS: readonly RequestFault[] = [
  { kind: "response-lost" },
  { kind: "response-lost" },
  { kind: "duplicate" },
  { kind: "refused" },
  { kind: "delay", ms: 5_000 },
  { kind: "status", reason: "InternalError" },
  { kind: "status", reason: "Conflict" },
  { kind: "status", reason: "TooManyRequests" },
];

/** Draws the case of a seed: one or two clusters, changes, and up to three faults. */
export function drawFleetCase(seed: number, random: Random): FleetCase {
  const operations = drawOperations(random);
  const count = randomInt(random, 1, FAULTS_MAX);
  const faults = Array.from({ length: count }, (): FleetFault => ({
    at: randomInt(random, 0, operations.length - 1),
    ...drawFault(random),
  })).toSorted((a, b) => a.at - b.at);
  return { seed, history: { operations }, faults };
}

function drawOperations(random: Random): readonly FleetOperation[] {
  const operations: FleetOperation[] = [];
  const add = (action: FleetAction): void => {
    operations.push({ ...action, afterMs: pick(random, PAUSES_MS) });
  };
  add({ do: "create", name: "eu-1", spec: specOf(random) });
  if (random.next() < 0.3) add({ do: "create", name: "eu-2", spec: specOf(random) });
  if (random.next() < 0.4) add({ do: "create-pool", name: "eu-1", spec: { replicas: randomInt(random, 1, 3) } });
  const count = randomInt(random, 0, OPERATIONS_MAX);
  for (let index = 0; index < count; index++) add(drawAction(random));
  return operations;
}

function drawAction(random: Random): FleetAction {
  const name = random.next() < 0.75 ? "eu-1" : "eu-2";
  const draws: readonly (() => FleetAction)[] = [
    () => ({ do: "patch", name, spec: specOf(random) }),
    () => ({ do: "patch", name, spec: specOf(random) }),
    () => ({ do: "patch", name, spec: specOf(random) }),
    () => ({ do: "patch-pool", name, spec: { replicas: randomInt(random, 1, 4) } }),
    () => ({ do: "delete", name }),
    () => ({ do: "create", name, spec: specOf(random) }),
    () => ({ do: "create-pool", name, spec: { replicas: randomInt(random, 1, 3) } }),
    () => ({ do: "delete-pool", name }),
    () => ({ do: "delete-child", name, child: pick(random, CHILDREN) }),
    () => ({ do: "edit-child", name, child: pick(random, CHILDREN) }),
    () => ({ do: "late-report", name, adapter: pick(random, CLUSTER_ADAPTERS) }),
    () => ({ do: "repeat-pulse" }),
    () => ({ do: "restart", adapter: pick(random, ADAPTERS) }),
    () => ({ do: "pass-time" }),
  ];
  return pick(random, draws)();
}

function specOf(random: Random): JsonObject {
  return { region: pick(random, REGIONS), version: pick(random, VERSIONS.slice(0, random.next() < 0.2 ? 4 : 3)) };
}

function drawFault(random: Random): FleetFaultEffect {
  const adapter = pick(random, random.next() < 0.85 ? ADAPTERS.slice(0, 4) : ADAPTERS);
  const nth = randomInt(random, 1, 5);
  const downMs = pick(random, [0, 1_000, 60_000]);
  const draws: readonly (() => FleetFaultEffect)[] = [
    () => ({ kind: "crash", adapter, nth, downMs }),
    () => ({ kind: "crash", adapter, nth, downMs }),
    () => ({ kind: "request", adapter, nth, fault: pick(random, REQUEST_FAULTS) }),
    () => ({ kind: "request", adapter, nth, fault: pick(random, REQUEST_FAULTS) }),
    () => ({ kind: "report", adapter, nth: randomInt(random, 1, 2), fault: pick(random, REQUEST_FAULTS) }),
    () => ({ kind: "report", adapter, nth: randomInt(random, 1, 2), fault: pick(random, REQUEST_FAULTS) }),
    () => ({ kind: "unreachable", adapter, downMs: pick(random, [1_000, 30_000, 120_000]) }),
    () => ({ kind: "cut-watches", adapter }),
    () => ({ kind: "freeze-watches", adapter }),
    () => ({ kind: "cache-lag", adapter, ms: pick(random, [200, 5_000]) }),
    () => ({ kind: "lose-pulses", count: randomInt(random, 1, 6) }),
    () => ({ kind: "repeat-pulses", count: randomInt(random, 1, 6) }),
  ];
  return pick(random, draws)();
}

function pick<Value>(random: Random, options: readonly Value[]): Value {
  return options[randomInt(random, 0, options.length - 1)] as Value; // the index is within the list
}
