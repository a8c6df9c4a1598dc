import { compareElements } from "./element.ts";
import type { FieldPath, PathElement } from "./element.ts";

/** What is known about one step of the paths of a set. */
export interface FieldNode {
  /** Whether the path that ends here is in the set. */
  readonly member: boolean;
  /** The paths that go on from here. */
  readonly below: FieldSet;
}

/** Which paths: all, or those that begin with these steps (`*`: any step) and go on as said. */
export type FieldPattern = "all" | { readonly [step: PathElement]: FieldPattern };

/** A set of paths into an object: the fields that somebody owns, or that a write changed. Immutable. */
export class FieldSet {
  /** The set without paths. */
  // By its name, the class would not be there yet in what the compiler makes of this.
  static readonly empty: FieldSet = new this(new Map());

  /** No node is without a member here or below. */
  readonly #nodes: ReadonlyMap<PathElement, FieldNode>;
  #sorted: readonly PathElement[] | undefined;

  private constructor(nodes: ReadonlyMap<PathElement, FieldNode>) {
    this.#nodes = nodes;
  }

  /** The set of these paths. The empty path stands for the object itself, which nobody owns, and is passed over. */
  static of(...paths: readonly FieldPath[]): FieldSet {
    const builder = new FieldSetBuilder();
    for (const path of paths) builder.add(path);
    return builder.build();
  }

  /** From steps and what is known about each; steps without a member here or below are dropped. */
  static from(steps: Iterable<readonly [PathElement, FieldNode]>): FieldSet {
    const nodes = new Map<PathElement, FieldNode>();
    for (const [element, node] of steps) if (node.member || !node.below.isEmpty) nodes.set(element, node);
    return nodes.size === 0 ? FieldSet.empty : new FieldSet(nodes);
  }

  get isEmpty(): boolean {
    return this.#nodes.size === 0;
  }

  /** The first steps of all paths, in order. */
  get elements(): readonly PathElement[] {
    this.#sorted ??= [...this.#nodes.keys()].toSorted(compareElements);
    return this.#sorted;
  }

  /** Whether the path of this one step is in the set. */
  hasElement(element: PathElement): boolean {
    return this.#nodes.get(element)?.member === true;
  }

  /** The rests of the paths that begin with this step. */
  below(element: PathElement): FieldSet {
    return this.#nodes.get(element)?.below ?? FieldSet.empty;
  }

  has(path: FieldPath): boolean {
    const [element, ...rest] = path;
    if (element === undefined) return false;
    return rest.length === 0 ? this.hasElement(element) : this.below(element).has(rest);
  }

  /** All paths: the short ones of a level first, each level in order. */
  *paths(prefix: FieldPath = []): Generator<FieldPath> {
    for (const element of this.elements) if (this.hasElement(element)) yield [...prefix, element];
    for (const element of this.elements) yield* this.below(element).paths([...prefix, element]);
  }

  /** What is in either. */
  union(other: FieldSet): FieldSet {
    if (other.isEmpty || this === other) return this;
    if (this.isEmpty) return other;
    const nodes = new Map(this.#nodes);
    for (const [element, node] of other.#nodes) {
      const mine = nodes.get(element);
      nodes.set(
        element,
        mine === undefined ? node : { member: mine.member || node.member, below: mine.below.union(node.below) },
      );
    }
    return new FieldSet(nodes);
  }

  /** What is in both. */
  intersection(other: FieldSet): FieldSet {
    return this.#each(
      (mine, theirs) =>
        theirs === undefined
          ? undefined
          : { member: mine.member && theirs.member, below: mine.below.intersection(theirs.below) },
      other,
    );
  }

  /** What is here and not in the other. Paths below one of the other's stay. */
  difference(other: FieldSet): FieldSet {
    if (other.isEmpty || this.isEmpty) return this;
    return this.#each(
      (mine, theirs) =>
        theirs === undefined
          ? mine
          : { member: mine.member && !theirs.member, below: mine.below.difference(theirs.below) },
      other,
    );
  }

  /** What is here and neither in the other nor below one of its paths. */
  without(other: FieldSet): FieldSet {
    if (other.isEmpty || this.isEmpty) return this;
    return this.#each((mine, theirs) => {
      if (theirs === undefined) return mine;
      return theirs.member ? undefined : { member: mine.member, below: mine.below.without(theirs.below) };
    }, other);
  }

  /** What lies on or below the paths of a pattern. */
  matching(pattern: FieldPattern): FieldSet {
    if (pattern === "all") return this;
    const kept: [PathElement, FieldNode][] = [];
    for (const [element, node] of this.#nodes) {
      const below = pattern[element] ?? pattern["*"];
      if (below !== undefined) kept.push([element, { member: node.member, below: node.below.matching(below) }]);
    }
    return FieldSet.from(kept);
  }

  equals(other: FieldSet): boolean {
    if (this === other) return true;
    if (this.#nodes.size !== other.#nodes.size) return false;
    for (const [element, node] of this.#nodes) {
      const theirs = other.#nodes.get(element);
      if (theirs?.member !== node.member || !theirs.below.equals(node.below)) return false;
    }
    return true;
  }

  #each(decide: (mine: FieldNode, theirs: FieldNode | undefined) => FieldNode | undefined, other: FieldSet): FieldSet {
    const kept: [PathElement, FieldNode][] = [];
    for (const [element, node] of this.#nodes) {
      const decided = decide(node, other.#nodes.get(element));
      if (decided !== undefined) kept.push([element, decided]);
    }
    return FieldSet.from(kept);
  }
}

/** Collects paths. */
export class FieldSetBuilder {
  readonly #nodes = new Map<PathElement, { member: boolean; below: FieldSetBuilder | undefined }>();

  add(path: FieldPath): void {
    this.#add(path, 0);
  }

  #add(path: FieldPath, index: number): void {
    const element = path[index];
    if (element === undefined) return;
    let node = this.#nodes.get(element);
    if (node === undefined) {
      node = { member: false, below: undefined };
      this.#nodes.set(element, node);
    }
    if (index === path.length - 1) node.member = true;
    else {
      node.below ??= new FieldSetBuilder();
      node.below.#add(path, index + 1);
    }
  }

  build(): FieldSet {
    return FieldSet.from(this.#steps());
  }

  *#steps(): Generator<readonly [PathElement, FieldNode]> {
    for (const [element, { member, below }] of this.#nodes) {
      yield [element, { member, below: below?.build() ?? FieldSet.empty }];
    }
  }
}
