import { createApiServer, MemoryStore } from "@levelset/apiserver";
import type { BuiltinControllerOptions } from "@levelset/apiserver";
import * as core from "@levelset/core";
import { apiVersionOf, crdOf, InputError, kindId } from "@levelset/core";
import type { AnyCustomKind, Fetch, Kind, KubeObject } from "@levelset/core";
import { childFinalizerName, CLUSTER_ORIGIN, stringifyJson } from "@levelset/core/internal";
import { seededRandom, untilIdle, VirtualClock } from "@levelset/core/testing";
import { policyRules } from "@levelset/operator";
import type { ManagedOperator } from "@levelset/operator";
import { scopedRules } from "@levelset/operator/internal";
import type { ScopedRule } from "@levelset/operator/internal";
import { openProgram, startOperators } from "./program.ts";
import type { Program, SimulatedProgram } from "./program.ts";

/** A second namespace, for objects of the same name. */
export const OTHER_NAMESPACE = "other";
/** Time for the server to install kinds and namespaces. */
const SETTLE_MS = 5_000;

/** Options of {@link prepareSubject}. */
export interface SubjectOptions {
  /** Custom kinds that the cluster serves in addition to those of the operators. */
  readonly kinds?: readonly AnyCustomKind[];
  /** Namespaces that exist in addition to `default`. */
  readonly namespaces?: readonly string[];
  /** Simulation of workloads. Default: on. */
  readonly workloads?: BuiltinControllerOptions["workloads"];
}

/** The program under simulation, and what its declaration says. */
export interface Subject {
  /** Returns the program in a new world. */
  readonly open: () => Program;
  /** All custom kinds of its operators. */
  readonly kinds: readonly AnyCustomKind[];
  /** The kinds that users create: those that no other operator of the program owns. */
  readonly roots: readonly AnyCustomKind[];
  /** Its operators, by the kinds that they reconcile and own. */
  readonly controllers: readonly {
    readonly name: string;
    readonly kind: AnyCustomKind;
    readonly owns: readonly Kind[];
  }[];
  /** The rights that its operators declare. */
  readonly rules: readonly ScopedRule[];
  /** Whether an object is of one of the custom kinds. */
  readonly isRootKind: (object: Pick<KubeObject, "apiVersion" | "kind">) => boolean;
  /** Whether an operator of the program protects an object from deletion, as steps with `protect` do. */
  readonly isProtected: (object: KubeObject) => boolean;
  /** Whether the cluster serves the kind of an object from the beginning: a program may install others. */
  readonly isServed: (object: Pick<KubeObject, "apiVersion" | "kind">) => boolean;
  readonly isNamespaced: (object: Pick<KubeObject, "apiVersion" | "kind">) => boolean;
  /** Returns the plural name of a kind that the cluster serves. */
  readonly pluralOf: (object: Pick<KubeObject, "apiVersion" | "kind">) => string;
  /** A store in which the kinds are installed. */
  readonly store: MemoryStore;
  /** The time of the store, in milliseconds since the epoch. */
  readonly now: number;
  readonly workloads: NonNullable<BuiltinControllerOptions["workloads"]>;
}

/** Reads the declaration of a program and prepares a cluster that serves its kinds. */
export async function prepareSubject(program: SimulatedProgram, options: SubjectOptions = {}): Promise<Subject> {
  const operators = startOperators(openProgram(program));
  if (operators.length === 0) throw new InputError("the program has no operators");
  const kinds = uniqueKinds(operators.flatMap((operator) => operator.kinds));
  const owned = new Set(operators.flatMap(({ rbac }) => rbac.owns.map((kind) => kindId(kind))));
  const roots = kinds.filter((kind) => !owned.has(kindId(kind)) && isReconciled(kind, operators));
  const installed = uniqueKinds([...kinds, ...(options.kinds ?? [])]);
  const { workloads = true, namespaces = [] } = options;
  const { store, now } = await prepareStore(installed, new Set([OTHER_NAMESPACE, ...namespaces]), workloads);
  const ids = new Set(kinds.map(typeOf));
  const protecting = new Set(kinds.map((kind) => childFinalizerName(kind)));
  const served = new Map([...BUILTIN_KINDS, ...installed].map((kind) => [typeOf(kind), kind]));
  const servedKind = ({ apiVersion, kind }: Pick<KubeObject, "apiVersion" | "kind">): Kind => {
    const found = served.get(`${apiVersion} ${kind}`);
    if (found === undefined)
      throw new InputError(
        `${kind} of ${apiVersion} is not served: the program has no such kind, and it is not in the option kinds`,
      );
    return found;
  };
  return {
    open: () => openProgram(program),
    kinds,
    roots,
    controllers: operators.map(({ name, rbac: { kind, owns } }) => ({ name, kind, owns })),
    rules: scopedRules(policyRules(operators)),
    isRootKind: ({ apiVersion, kind }) => ids.has(`${apiVersion} ${kind}`),
    isProtected: ({ metadata: { finalizers = [] } }) => finalizers.some((each) => protecting.has(each)),
    isServed: (object) => served.has(`${object.apiVersion} ${object.kind}`),
    isNamespaced: (object) => servedKind(object).scope === "Namespaced",
    pluralOf: (object) => servedKind(object).plural,
    store,
    now,
    workloads,
  };
}

const BUILTIN_KINDS: readonly Kind[] = Object.values<unknown>(core).filter(isKind);

function isKind(value: unknown): value is Kind {
  return typeof value === "object" && value !== null && "kind" in value && "plural" in value && "schema" in value;
}

function typeOf(kind: Kind): string {
  return `${apiVersionOf(kind)} ${kind.kind}`;
}

function isReconciled(kind: AnyCustomKind, operators: readonly ManagedOperator[]): boolean {
  return operators.some(({ rbac }) => kindId(rbac.kind) === kindId(kind));
}

function uniqueKinds(kinds: readonly AnyCustomKind[]): readonly AnyCustomKind[] {
  return [...new Map(kinds.map((kind) => [kindId(kind), kind])).values()];
}

/** Installs kinds and namespaces, and the nodes of simulated workloads. */
async function prepareStore(
  kinds: readonly AnyCustomKind[],
  namespaces: ReadonlySet<string>,
  workloads: Subject["workloads"],
): Promise<{ readonly store: MemoryStore; readonly now: number }> {
  const clock = new VirtualClock();
  const store = new MemoryStore();
  const server = createApiServer({ clock, random: seededRandom(1), store, controllers: { workloads } });
  for (const kind of kinds)
    await post(server.fetch, "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", crdOf(kind));
  for (const name of namespaces) {
    if (store.get({ resource: "namespaces", namespace: "", name }) !== undefined) continue;
    await post(server.fetch, "/api/v1/namespaces", { apiVersion: "v1", kind: "Namespace", metadata: { name } });
  }
  for (let round = 0; round < 5; round++) await untilIdle();
  await clock.advance(SETTLE_MS);
  const copy = store.fork();
  server.close();
  return { store: copy, now: clock.now() };
}

async function post(fetch: Fetch, path: string, body: object): Promise<void> {
  const headers = { "content-type": "application/json" };
  const request = new Request(CLUSTER_ORIGIN + path, { method: "POST", body: stringifyJson(body), headers });
  const response = await fetch(request);
  const text = await response.text();
  if (!response.ok) throw new InputError(`the embedded server refuses a kind of the program: ${text}`);
}
