import type { AnyCustomKind, Random } from "@levelset/core";
import { randomInt } from "@levelset/core/internal";
import { chance, pick, pickWeighted } from "../draw/index.ts";
import { changeManifest } from "./draw-change.ts";
import { idKey, idOf } from "./operation.ts";
import type { Action, ChangeKind, History, Manifest, Operation } from "./operation.ts";

/** A custom resource that users may create, and the objects that it needs. */
export interface Sample {
  readonly root: Manifest;
  readonly inputs: readonly Manifest[];
  /** Other contents of the root that users may choose. */
  readonly versions?: readonly Manifest[];
}

/** What histories are made of. */
export interface HistoryMaterial {
  readonly samples: readonly Sample[];
  readonly kinds: readonly AnyCustomKind[];
  /** Children of a sample as manifests: templates of foreign objects that resemble them. */
  readonly children: readonly Manifest[];
  /** A second namespace, which exists. */
  readonly otherNamespace: string;
  /** Whether some objects have names of 63 characters. */
  readonly hasLongNames: boolean;
}

const OPERATIONS_MAX = 6;
/** Times between operations, in milliseconds. Short ones interrupt work, long ones let timers and TTLs end. */
const PAUSES: readonly (readonly [number, number])[] = [
  [4, 0],
  [2, 150],
  [5, 1_000],
  [3, 10_000],
  [8, 60_000],
  [3, 600_000],
  [3, 3_600_000],
];
/** Forward as after the machine was suspended, back as by NTP or a person. */
const CLOCK_STEPS: readonly number[] = [60_000, 86_400_000, -60_000, -3_600_000];
/** How often a change is one of the given versions, if there are any, and not one along the schema. */
const VERSION_CHANCE = 0.8;
/** The longest name that is also a valid label. Names that are derived from it are longer. */
const LONG_NAME = `a${"b".repeat(62)}`;

/** Draws what happens in one world. Equal states of `random` give equal histories. */
export function drawHistory(random: Random, material: HistoryMaterial): History {
  const drawing = new Drawing(random, material);
  drawing.begin();
  const count = randomInt(random, 0, OPERATIONS_MAX);
  for (let index = 0; index < count; index++) drawing.next();
  if (chance(random, 0.5)) drawing.repair();
  return { operations: drawing.operations };
}

/** A history while it is drawn, with the objects that users want by then. */
class Drawing {
  readonly operations: Operation[] = [];
  readonly #random: Random;
  readonly #material: HistoryMaterial;
  /** The objects that exist, unless the server refuses a change. */
  readonly #wanted = new Map<string, Manifest>();
  /** All versions of each object that were wanted, oldest first. */
  readonly #versions = new Map<string, Manifest[]>();
  readonly #roots = new Set<string>();
  /** The versions of the samples, by the key of their root. */
  readonly #given = new Map<string, readonly Manifest[]>();

  constructor(random: Random, material: HistoryMaterial) {
    this.#random = random;
    this.#material = material;
  }

  /** One or two custom resources with their inputs, some of which are late. */
  begin(): void {
    const random = this.#random;
    const sample = pick(random, this.#material.samples);
    const isLong = chance(random, 0.04) && this.#material.hasLongNames;
    const { children } = this.#material;
    if (children.length > 0 && chance(random, 0.08)) {
      const template = pick(random, children);
      this.#add({ do: "create-foreign", object: { ...template, metadata: nameOnly(template) } }, 0);
    }
    this.#create(isLong ? renamed(sample, LONG_NAME) : sample);
    if (!isLong && chance(random, 0.25)) {
      const second = pick(random, this.#material.samples);
      this.#create(
        chance(random, 0.6)
          ? moved(sample, this.#material.otherNamespace)
          : renamed(second, `${second.root.metadata.name}-2`),
      );
    }
  }

  #create({ root, inputs, versions = [] }: Sample): void {
    const random = this.#random;
    const late = chance(random, 0.15);
    if (versions.length > 0) this.#given.set(idKey(idOf(root)), [root, ...versions]);
    const first = this.#firstOf(root, versions);
    const create = (object: Manifest, afterMs?: number): void => {
      this.#want(object);
      this.#add({ do: "create", object }, afterMs);
    };
    if (!late) for (const input of inputs) if (!this.#wanted.has(idKey(idOf(input)))) create(input, 0);
    this.#roots.add(idKey(idOf(root)));
    this.#versions.set(idKey(idOf(root)), [root]);
    create(first);
    if (late) for (const input of inputs) if (!this.#wanted.has(idKey(idOf(input)))) create(input);
  }

  /** The version that is created: a given one, or a change along the schema. */
  #firstOf(root: Manifest, versions: readonly Manifest[]): Manifest {
    const random = this.#random;
    const isChanged = chance(random, 0.3);
    if (versions.length > 0) return pick(random, [root, ...versions]);
    return isChanged ? changeManifest(random, root, this.#material.kinds).object : root;
  }

  /** Draws the next operation. */
  next(): void {
    const draw = pickWeighted<() => void>(this.#random, [
      [9, () => this.#changeRoot()],
      [4, () => this.#restore()],
      [3, () => this.#recreateRoot()],
      [2, () => this.#deleteOne(this.#roots)],
      [3, () => this.#changeInput()],
      [2, () => this.#deleteOne(this.#inputs())],
      [3, () => this.#add({ do: "delete-child", pick: this.#random.next() })],
      [3, () => this.#add({ do: "edit-child", pick: this.#random.next(), edit: "change-field" })],
      [2, () => this.#add({ do: "edit-child", pick: this.#random.next(), edit: "annotate" })],
      [2, () => this.#createForeign()],
      [2, () => this.#add({ do: "lose-pods" }, pick(this.#random, [150, 1_000, 60_000]))],
      [3, () => this.#add({ do: "restart" })],
      [1, () => this.#add({ do: "downtime", ms: pick(this.#random, [60_000, 3_600_000, 90_000_000]) })],
      [1, () => this.#stepClock(pick(this.#random, CLOCK_STEPS))],
      [1, () => this.#add({ do: "pass-time" }, pick(this.#random, [3_600_000, 7_200_000]))],
    ]);
    draw();
  }

  /** Returns everything that exists to its first version, and creates what is missing. */
  repair(): void {
    for (const [key, [first]] of this.#versions) {
      if (first === undefined || this.#wanted.get(key) === first) continue;
      if (this.#wanted.has(key)) this.#change(first, "restored");
      else this.#recreate(first);
    }
  }

  #changeRoot(): void {
    const object = this.#pickWanted(this.#roots);
    if (object === undefined) return;
    const others = (this.#given.get(idKey(idOf(object))) ?? []).filter((each) => each !== object);
    if (others.length > 0 && chance(this.#random, VERSION_CHANCE))
      return this.#change(pick(this.#random, others), "version");
    const { object: changed, how, path } = changeManifest(this.#random, object, this.#material.kinds);
    if (how === "invalid") this.#add({ do: "change", object: changed, how });
    else this.#change(changed, how, path);
  }

  #changeInput(): void {
    const object = this.#pickWanted(this.#inputs());
    if (object === undefined) return this.#changeRoot();
    const { object: changed, how } = changeManifest(this.#random, object, this.#material.kinds);
    this.#change(changed, how);
  }

  /** Returns an object to an earlier version, or creates a deleted one again. */
  #restore(): void {
    const [key, versions] = pick(this.#random, [...this.#versions]);
    const earlier = pick(this.#random, versions);
    if (!this.#wanted.has(key)) this.#recreate(earlier);
    else if (earlier !== this.#wanted.get(key)) this.#change(earlier, "restored");
    else this.#changeRoot();
  }

  #recreate(object: Manifest): void {
    this.#want(object);
    this.#add({ do: "create", object });
  }

  #recreateRoot(): void {
    const object = this.#pickWanted(this.#roots);
    if (object === undefined) return;
    this.#add({ do: "delete", id: idOf(object) }, pick(this.#random, [0, 1_000, 60_000]));
    this.#add({ do: "create", object });
  }

  #deleteOne(keys: ReadonlySet<string>): void {
    const object = this.#pickWanted(keys);
    if (object === undefined) return;
    this.#wanted.delete(idKey(idOf(object)));
    this.#add({ do: "delete", id: idOf(object) });
  }

  /** The wall clock steps. After a step back, it gets beyond the time that it has shown, so that ages are those of a new cluster. */
  #stepClock(ms: number): void {
    this.#add({ do: "step-clock", ms }, ms < 0 ? 60_000 - ms : undefined);
  }

  /** Another client creates an object with the labels of a child. */
  #createForeign(): void {
    const labelled = this.#material.children.filter(({ metadata }) => metadata.labels !== undefined);
    if (labelled.length === 0) return this.#changeRoot();
    const template = pick(this.#random, labelled);
    const { namespace, labels = {} } = template.metadata;
    const name = `foreign-${this.operations.length}`;
    const metadata = { name, ...(namespace === undefined ? {} : { namespace }), labels };
    this.#add({ do: "create-foreign", object: { ...template, metadata } });
  }

  #change(object: Manifest, how: ChangeKind, path?: string): void {
    this.#want(object);
    this.#add({ do: "change", object, how, ...(path === undefined ? {} : { path }) });
  }

  #want(object: Manifest): void {
    const key = idKey(idOf(object));
    this.#wanted.set(key, object);
    const versions = this.#versions.get(key) ?? [];
    if (!versions.includes(object)) this.#versions.set(key, [...versions, object]);
  }

  #inputs(): ReadonlySet<string> {
    return new Set([...this.#versions.keys()].filter((key) => !this.#roots.has(key)));
  }

  #pickWanted(keys: ReadonlySet<string>): Manifest | undefined {
    const objects = [...this.#wanted].filter(([key]) => keys.has(key)).map(([, object]) => object);
    return objects.length === 0 ? undefined : pick(this.#random, objects);
  }

  #add(action: Action, afterMs: number = pickWeighted(this.#random, PAUSES)): void {
    this.operations.push({ ...action, afterMs });
  }
}

function nameOnly({ metadata: { name, namespace } }: Manifest): Manifest["metadata"] {
  return { name, ...(namespace === undefined ? {} : { namespace }) };
}

function renamed({ root, inputs, versions = [] }: Sample, name: string): Sample {
  const rename = (object: Manifest): Manifest => ({ ...object, metadata: { ...object.metadata, name } });
  return { root: rename(root), inputs, versions: versions.map(rename) };
}

function moved({ root, inputs, versions = [] }: Sample, namespace: string): Sample {
  const move = (object: Manifest): Manifest =>
    object.metadata.namespace === undefined ? object : { ...object, metadata: { ...object.metadata, namespace } };
  return { root: move(root), inputs: inputs.map(move), versions: versions.map(move) };
}
