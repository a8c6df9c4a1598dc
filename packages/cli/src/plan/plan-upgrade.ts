import { apiVersionOf, InputError, silentLogger } from "@levelset/core";
import type { Clock, Fetch, KubeObject } from "@levelset/core";
import { VirtualClock } from "@levelset/core/testing";
import { Client } from "@levelset/operator";
import type { ManagedOperator, ManagerOptions } from "@levelset/operator";
import type { Program } from "../process/index.ts";
import { abandonedChildren } from "./abandoned-children.ts";
import {
  copiedCollections,
  copyCluster,
  crdsOfCopy,
  dynamicSteps,
  readCluster,
  readOnlyFetch,
  undeclaredReads,
} from "./copy/index.ts";
import type { ClusterObjects } from "./copy/index.ts";
import { PlanRedactor } from "./plan-redactor.ts";
import { runOnCopy } from "./run-on-copy.ts";
import { upgradePlan } from "./upgrade-plan.ts";
import type { UpgradePlan } from "./upgrade-plan.ts";

/** Options of {@link planUpgrade}. */
export interface PlanUpgradeOptions extends Pick<ManagerOptions, "unhandledRejections"> {
  /** Connection to the cluster. Only GET requests are sent. */
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** File of the program, for hints. */
  readonly file: string;
  /** Namespaces of operators that do not declare their own. Default: those of the program, else all. */
  readonly namespaces?: readonly string[] | undefined;
  /** Called when the objects are read, with their number. */
  readonly onRead?: (objects: number) => void;
}

/** A plan, and what removes the values of Secrets from it. */
export interface RedactablePlan {
  readonly plan: UpgradePlan;
  readonly redactor: PlanRedactor;
}

/**
 * Plans an upgrade: copies what the operators declare from the cluster to an embedded server in memory, runs them there
 * under a virtual clock that starts now, and compares the objects. Nothing is written to the cluster or to disk. Throws
 * an InputError for missing permissions and kinds.
 */
export async function planUpgrade(program: Program, options: PlanUpgradeOptions): Promise<RedactablePlan> {
  const { operators } = program;
  const { signal, file, clock: real, namespaces = program.options.namespaces } = options;
  checkProgram(program, file);
  const client = new Client({ fetch: readOnlyFetch(options.fetch), fieldManager: "levelset-plan" });
  const collections = copiedCollections(operators, namespaces);
  const objects = await readCluster(client, collections, { signal, file });
  const crds = await crdsOfCopy(client, operators, collections, signal);
  options.onRead?.(objects.declared.length);
  const clock = new VirtualClock(real.now());
  const kinds = collections.map(({ kind }) => kind);
  using copy = await copyCluster(objects, { crds, kinds, clock, logger: silentLogger });
  const { unhandledRejections } = options;
  const run = await runOnCopy(operators, copy, { clock, real, signal, namespaces, unhandledRejections });
  const unread = undeclaredReads(operators, collections);
  const notes = [
    ...objects.notes,
    ...withoutObjects(operators, objects),
    ...abandonedChildren(operators, objects.declared),
    ...dynamicSteps(operators).map(
      (step) => `step ${step} watches kinds that it chooses when it runs: the copy lacks them`,
    ),
    ...(unread.length === 0
      ? []
      : [`not in the copy, because steps read them without declaring the kind: ${unread.join(", ")}`]),
  ];
  const written: readonly (KubeObject | undefined)[] = run.changes.map(({ after }) => after);
  const plan = upgradePlan({ operators, copy, run, copied: objects.declared.length, notes });
  return { plan, redactor: new PlanRedactor([...objects.declared, ...written]) };
}

/** Returns a note for each kind of an operator that has no object in the copy. */
function withoutObjects(operators: readonly ManagedOperator[], { declared }: ClusterObjects): readonly string[] {
  const present = new Set(declared.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`));
  return operators
    .filter(({ rbac: { kind } }) => !present.has(`${apiVersionOf(kind)} ${kind.kind}`))
    .map(({ rbac: { kind } }) => `no ${kind.kind} was copied: the plan does not show what the operator does with one`);
}

function checkProgram({ operators, others }: Program, file: string): void {
  const [other] = others;
  if (other !== undefined) {
    throw new InputError(`${other.name} of ${file} is not an operator: its upgrade cannot be planned`, {
      hint: "export it from a separate file",
    });
  }
  if (operators.length === 0) throw new InputError(`${file} exports no operator`);
}
