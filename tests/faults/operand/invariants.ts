import { createHash } from "node:crypto";
import { isJsonObject } from "@levelset/core";
import type { Condition, JsonObject, JsonValue, Kind, KubeObject } from "@levelset/core";

/**
 * Independent checker of Operand invariants: it sees only watch events, in order, and computes names by itself. It
 * checks the invariants after each event.
 */
export class InvariantChecker {
  readonly #operands = new Map<string, SeenOperand>();
  readonly #inventories = new Map<string, SeenInventory>();
  readonly #objects = new Map<string, KubeObject>();
  /** Every spec so far, by uid and generation. */
  readonly #specs = new Map<string, Spec>();
  /** Content of the steadyState version of each object that was installed last, by Operand and object. */
  readonly #installed = new Map<string, string>();
  /** Uids of objects that other clients delete. */
  readonly #excused = new Set<string>();
  readonly #hasRaces: boolean;
  #revision = 0n;
  #events = 0;

  /**
   * With races, specs change while deletions of an earlier spec are in flight, and a process continues after it lost
   * the lease. An object must then not be deleted once an install of its spec counts it, and the rules for a single
   * controller are not checked.
   */
  constructor({ hasRaces = false }: { readonly hasRaces?: boolean } = {}) {
    this.#hasRaces = hasRaces;
  }

  /** Number of observed events. */
  get events(): number {
    return this.#events;
  }

  /** Existing objects besides Operands and inventories. */
  get objects(): readonly KubeObject[] {
    return [...this.#objects.values()];
  }

  /** Allows the deletion of this object. */
  allowViolation({ metadata }: KubeObject): void {
    this.#excused.add(metadata.uid);
  }

  /** Takes new events in any order, and checks the state after each. Throws at the first violation. */
  observe(seen: readonly ObservedEvent[]): void {
    for (const event of seen.toSorted((a, b) => Number(revisionOf(a) - revisionOf(b)))) {
      if (revisionOf(event) <= this.#revision)
        throw new Error(`an event arrived out of order, too late: ${describe(event)}`);
      this.#revision = revisionOf(event);
      this.#events++;
      try {
        this.#take(event);
      } catch (error) {
        throw new Error(`${(error as Error).message}\nat ${describe(event)}`, { cause: error });
      }
    }
  }

  #take(event: ObservedEvent): void {
    const { object } = event;
    if (event.kind === "Operand.operand.levelset.dev") this.#takeOperand(event.isGone, object as SeenOperand);
    else if (event.kind === "ClusterActiveOperand.operand.levelset.dev") {
      this.#takeInventory(event.isGone, object as SeenInventory);
    } else this.#takeObject(event);
  }

  #takeOperand(isGone: boolean, operand: SeenOperand): void {
    const { name, uid, generation } = operand.metadata;
    const before = this.#operands.get(name);
    if (isGone) {
      this.#operands.delete(name);
      const left = this.#inventoriesOf(uid);
      check("a deleted Operand has no inventories", left.length === 0, left.map(nameOf).join());
      return;
    }
    this.#operands.set(name, operand);
    this.#specs.set(`${uid} ${generation}`, operand.spec);
    this.#checkNames(operand);
    this.#checkBit(operand);
    this.#checkInstalled(before?.metadata.uid === uid ? before : undefined, operand);
  }

  #takeInventory(isGone: boolean, inventory: SeenInventory): void {
    const { name } = inventory.metadata;
    const before = this.#inventories.get(name);
    if (isGone) this.#inventories.delete(name);
    else this.#inventories.set(name, inventory);
    const owner = controllerUid(inventory);
    const operand = [...this.#operands.values()].find(({ metadata }) => metadata.uid === owner);
    if (operand === undefined) {
      check("every inventory belongs to an Operand", isGone || owner === undefined, name);
      return;
    }
    this.#checkNames(operand);
    if (isTerminating(inventory) && !isTerminating(before) && !this.#hasRaces) {
      this.#checkReplaced(operand, inventory);
    }
  }

  /** I1 and I2: at most two inventories, terminating ones included, and all of them named in the status. */
  #checkNames({ metadata, status }: SeenOperand): void {
    const names = this.#inventoriesOf(metadata.uid).map(nameOf);
    check("I1: an Operand has two inventories at most", names.length <= 2, names.join());
    const named = [status?.latestReadyActiveOperand, status?.latestCreatedActiveOperand];
    const unnamed = names.filter((name) => !named.includes(name));
    check(
      "I2: every inventory is named in the status",
      unnamed.length === 0,
      `${unnamed.join()} not in ${named.join()}`,
    );
  }

  /** I3: LatestActiveOperandReady is True exactly while the desired set is both pending and baseline. */
  #checkBit(operand: SeenOperand): void {
    const bit = conditionOf(operand, "LatestActiveOperandReady");
    if (bit === undefined || isTerminating(operand)) return;
    const {
      latestReadyActiveOperand: ready,
      latestCreatedActiveOperand: created,
      collisionCount,
    } = operand.status ?? {};
    const spec = this.#specOf(operand, bit.observedGeneration);
    const name = inventoryName(desired(spec).map(refOf), operand.metadata.uid, collisionCount);
    const isBaseline = created === name && ready === name;
    // The status of a run in progress claims nothing: the spec may have returned to the baseline while no process saw it.
    const isUnchecked = bit.status === "Unknown" && bit.reason === "Init";
    const reported = `${bit.status} with ready ${ready} and created ${created}, desired ${name}`;
    check(
      "I3: LatestActiveOperandReady is True exactly if the baseline is the desired set",
      isUnchecked || (bit.status === "True") === isBaseline,
      reported,
    );
  }

  /** I5: an installed set was applied and healthy. */
  #checkInstalled(before: SeenOperand | undefined, operand: SeenOperand): void {
    const installed = operand.status?.installedSteadyStateGeneration;
    if (installed === undefined || installed === before?.status?.installedSteadyStateGeneration) return;
    const spec = this.#specOf(operand, installed);
    // A Job may be gone after it has run, and one of a hook is applied in its phase only.
    const isKept = (one: Parameters<typeof modeOf>[0]): boolean => modeOf(one) !== "Ignore" && one.kind !== "Job";
    for (const manifest of (spec.steadyState ?? []).filter(isKept)) {
      const live = this.#objects.get(idOf(manifest));
      check("I5: every object of an installed set exists", live !== undefined, idOf(manifest));
      if (live === undefined || modeOf(manifest) !== "Reconcile") continue;
      const content = contentOf(manifest);
      const key = `${operand.metadata.uid} ${idOf(manifest)}`;
      // postInstall may stay in place of a version that was installed before.
      const isReplaced = (spec.postInstall ?? []).some((one) => idOf(one) === idOf(manifest));
      check(
        "I5: every object of an installed set matches its manifest",
        contains(live as unknown as JsonValue, content) ||
          (isReplaced && this.#installed.get(key) === JSON.stringify(content)),
        idOf(manifest),
      );
      this.#installed.set(key, JSON.stringify(content));
      const mustBeHealthy = manifest.kind === "Deployment" && spec.checkDeploymentHealth !== false;
      check("I5: every object of an installed set is healthy", !mustBeHealthy || isAvailable(live), idOf(manifest));
    }
  }

  /** The baseline is removed only when its successor is complete, healthy and owned. */
  #checkReplaced(operand: SeenOperand, inventory: SeenInventory): void {
    const { status } = operand;
    if (isTerminating(operand) || nameOf(inventory) !== status?.latestReadyActiveOperand) return;
    const installed = conditionOf(operand, "OperandInstalled");
    check(
      "the baseline is removed only after its successor is installed",
      installed?.status === "True",
      nameOf(inventory),
    );
    const successor = this.#inventories.get(status.latestCreatedActiveOperand ?? "");
    check(
      "the baseline is removed only if its successor exists",
      successor !== undefined && successor !== inventory,
      nameOf(inventory),
    );
    for (const ref of successor?.spec.live ?? []) {
      const live = this.#objects.get(idOfRef(ref));
      check("the baseline is removed only if every object of its successor exists", live !== undefined, idOfRef(ref));
    }
  }

  /** I4: a desired object that exists is never deleted. */
  #takeObject({ kind, isGone, object }: ObservedEvent): void {
    const id = `${kind}/${object.metadata.namespace ?? ""}/${nameOf(object)}`;
    const before = this.#objects.get(id);
    const isNew = before !== undefined && before.metadata.uid !== object.metadata.uid;
    check("an object is deleted before it is recreated", !isNew, id);
    if (isGone) this.#objects.delete(id);
    else this.#objects.set(id, object);
    const isDeleted = isGone || (isTerminating(object) && !isTerminating(before));
    if (!isDeleted || this.#excused.has(object.metadata.uid)) return;
    for (const operand of this.#operands.values()) {
      if (isTerminating(operand)) continue;
      const isWanted =
        this.#has(operand, id, object) && desired(operand.spec).some((manifest) => idOf(manifest) === id);
      if (this.#hasRaces) {
        const { installedSteadyStateGeneration: installed } = operand.status ?? {};
        const isCounted = isWanted && installed === operand.metadata.generation;
        check("I4: an object of an installed set is never deleted", !isCounted, `${id} of ${nameOf(operand)}`);
        continue;
      }
      check("I4: an existing desired object is never deleted", !isWanted, `${id} of ${nameOf(operand)}`);
      const baseline = this.#inventories.get(operand.status?.latestReadyActiveOperand ?? "");
      const isSafe =
        baseline === undefined || isTerminating(baseline) || controllerUid(baseline) !== operand.metadata.uid;
      const isInBaseline = !isSafe && baseline.spec.live.some((ref) => idOfRef(ref) === id);
      check(
        "I4: an object of the baseline is never deleted before the baseline",
        !isInBaseline,
        `${id} of ${nameOf(operand)}`,
      );
    }
  }

  /** Reports whether an Operand has an object: applied it, or listed it. */
  #has({ metadata }: SeenOperand, id: string, object: KubeObject): boolean {
    if (object.metadata.labels?.[`operand.levelset.dev/${metadata.uid}`] !== undefined) return true;
    const living = this.#inventoriesOf(metadata.uid).filter((inventory) => !isTerminating(inventory));
    return living.some(({ spec }) => spec.live.some((ref) => idOfRef(ref) === id));
  }

  #inventoriesOf(operandUid: string): readonly SeenInventory[] {
    return [...this.#inventories.values()].filter((inventory) => controllerUid(inventory) === operandUid);
  }

  #specOf({ metadata, spec }: SeenOperand, generation: number | undefined): Spec {
    return this.#specs.get(`${metadata.uid} ${generation}`) ?? spec;
  }
}

/** An event from a watch. */
export interface ObservedEvent {
  /** `ConfigMap.` or `Deployment.apps`. */
  readonly kind: string;
  readonly isGone: boolean;
  readonly object: KubeObject;
}

/** Returns the name of a kind in events. */
export function kindName({ kind, group }: Pick<Kind, "kind" | "group">): string {
  return `${kind}.${group}`;
}

interface Spec {
  readonly steadyState?: readonly Manifest[];
  readonly postInstall?: readonly Manifest[];
  readonly checkDeploymentHealth?: boolean;
}

interface Manifest extends JsonObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: JsonObject;
}

interface SeenOperand extends KubeObject {
  readonly spec: Spec;
  readonly status?: {
    readonly latestReadyActiveOperand?: string;
    readonly latestCreatedActiveOperand?: string;
    readonly installedSteadyStateGeneration?: number;
    readonly collisionCount?: number;
    readonly conditions?: readonly Condition[];
  };
}

interface SeenInventory extends KubeObject {
  readonly spec: { readonly live: readonly Ref[] };
}

interface Ref {
  readonly group: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
}

function check(rule: string, holds: boolean, detail: string): void {
  if (!holds) throw new Error(`${rule} (${detail})`);
}

const nameOf = ({ metadata }: KubeObject): string => metadata.name;
const revisionOf = ({ object }: ObservedEvent): bigint => BigInt(object.metadata.resourceVersion);
const isTerminating = (object: KubeObject | undefined): boolean => object?.metadata.deletionTimestamp !== undefined;

function describe({ kind, isGone, object }: ObservedEvent): string {
  return `revision ${object.metadata.resourceVersion}, ${kind} ${nameOf(object)} ${isGone ? "gone" : "there"}: ${JSON.stringify(object)}`;
}

function conditionOf({ status }: SeenOperand, type: string): Condition | undefined {
  return status?.conditions?.find((condition) => condition.type === type);
}

function controllerUid({ metadata }: KubeObject): string | undefined {
  return metadata.ownerReferences?.find(({ controller }) => controller === true)?.uid;
}

/** Returns the desired manifests: those of postInstall replace those of steadyState. */
function desired({ steadyState = [], postInstall = [] }: Spec): readonly Manifest[] {
  return [...new Map([...steadyState, ...postInstall].map((manifest) => [idOf(manifest), manifest])).values()];
}

function refOf({ apiVersion, kind, metadata }: Manifest): Ref {
  const { namespace, name } = metadata;
  if (typeof name !== "string") throw new TypeError("a manifest has no name");
  const group = apiVersion.includes("/") ? (apiVersion.split("/")[0] ?? "") : "";
  return { group, kind, ...(typeof namespace === "string" ? { namespace } : {}), name };
}

const idOf = (manifest: Manifest): string => idOfRef(refOf(manifest));
const idOfRef = ({ group, kind, namespace = "", name }: Ref): string => `${kind}.${group}/${namespace}/${name}`;

function modeOf({ metadata }: Manifest): string {
  const { annotations } = metadata;
  const mode = isJsonObject(annotations) ? annotations["operand.levelset.dev/mode"] : undefined;
  return typeof mode === "string" ? mode : "Reconcile";
}

/** Returns the content of a manifest without its identity. */
function contentOf({ apiVersion: _version, kind: _kind, metadata: _metadata, ...content }: Manifest): JsonValue {
  return content;
}

/** Reports whether a value contains another: lists item by item. */
function contains(value: JsonValue | undefined, part: JsonValue): boolean {
  if (Array.isArray(part)) {
    return (
      Array.isArray(value) &&
      value.length === part.length &&
      part.every((item: JsonValue, index) => contains(value[index] as JsonValue, item))
    );
  }
  if (!isJsonObject(part)) return value === part;
  return Object.entries(part).every(([name, inner]) => contains(isJsonObject(value) ? value[name] : undefined, inner));
}

function isAvailable(deployment: KubeObject): boolean {
  const { status } = deployment as { readonly status?: Readonly<Record<string, number>> };
  const isSeen = (status?.["observedGeneration"] ?? 0) >= (deployment.metadata.generation ?? 0);
  return isSeen && (status?.["updatedReplicas"] ?? 0) >= 1 && (status?.["availableReplicas"] ?? 0) >= 1;
}

/** Computes the name of an inventory from its documentation, independent of the code under test. */
export function inventoryName(refs: readonly Ref[], operandUid: string, collisions: number = 0): string {
  const rows = refs
    .map(({ group, kind, namespace = "", name }) => [group, kind, namespace, name] as const)
    .toSorted((a, b) => compareRows(a, b));
  const text = rows
    .map(
      ([group, kind, namespace, name]) =>
        `{"group":${quoted(group)},"version":"","resource":"","kind":${quoted(kind)},` +
        `"namespace":${quoted(namespace)},"name":${quoted(name)}}`,
    )
    .join(",");
  const salt = collisions === 0 ? "" : `${operandUid} ${collisions}`;
  return `sha256-${createHash("sha256").update(`[${text}]${salt}`).digest("hex").slice(0, 10)}`;
}

function compareRows(a: readonly string[], b: readonly string[]): number {
  const at = a.findIndex((text, index) => text !== b[index]);
  return at === -1 ? 0 : Buffer.compare(Buffer.from(a[at] ?? ""), Buffer.from(b[at] ?? ""));
}

/** Quotes a string as Go's JSON does. */
function quoted(text: string): string {
  const go = { "<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029" };
  return Object.entries(go).reduce((json, [char, escaped]) => json.replaceAll(char, escaped), JSON.stringify(text));
}
