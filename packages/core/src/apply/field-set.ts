import { compareElements } from "./path-element.ts";
import type { FieldPath, PathElement } from "./path-element.ts";

/** A path element of a set. */
export interface FieldNode {
  /** Whether the path that ends here is a member. */
  readonly member: boolean;
  /** The paths below. */
  readonly withPrefix: FieldSet;
}

/** A path pattern: all paths, or those with these prefixes (`*` matches any element). */
export type FieldPattern = "all" | { readonly [step: PathElement]: FieldPattern };

/**
 * A set of field paths: the fields owned by a manager or changed by a write. Immutable. Modelled after `fieldpath.Set`
 * of sigs.k8s.io/structured-merge-diff.
 */
export class FieldSet {
  /** The empty set. */
  // `this`, because the class name is not yet defined here in the compiled code.
  static readonly empty: FieldSet = new this(new Map());

  /** Every node has a member here or below. */
  readonly #nodes: ReadonlyMap<PathElement, FieldNode>;
  #sorted: readonly PathElement[] | undefined;

  private constructor(nodes: ReadonlyMap<PathElement, FieldNode>) {
    this.#nodes = nodes;
  }

  /** Returns the set of these paths. The empty path, the object itself, cannot be owned and is ignored. */
  static of(...paths: readonly FieldPath[]): FieldSet {
    const builder = new FieldSetBuilder();
    for (const path of paths) builder.add(path);
    return builder.build();
  }

  /** Returns a set of these nodes; nodes without a member here or below are dropped. */
  static from(steps: Iterable<readonly [PathElement, FieldNode]>): FieldSet {
    const nodes = new Map<PathElement, FieldNode>();
    for (const [element, node] of steps) if (node.member || !node.withPrefix.isEmpty) nodes.set(element, node);
    return nodes.size === 0 ? FieldSet.empty : new FieldSet(nodes);
  }

  get isEmpty(): boolean {
    return this.#nodes.size === 0;
  }

  /** The first elements of all paths, sorted. */
  get elements(): readonly PathElement[] {
    this.#sorted ??= [...this.#nodes.keys()].toSorted(compareElements);
    return this.#sorted;
  }

  /** Reports whether the path of this single element is a member. */
  hasElement(element: PathElement): boolean {
    return this.#nodes.get(element)?.member === true;
  }

  /** Returns the remainders of the paths that start with this element. */
  withPrefix(element: PathElement): FieldSet {
    return this.#nodes.get(element)?.withPrefix ?? FieldSet.empty;
  }

  has(path: FieldPath): boolean {
    const [element, ...rest] = path;
    if (element === undefined) return false;
    return rest.length === 0 ? this.hasElement(element) : this.withPrefix(element).has(rest);
  }

  /** Yields all paths in order, members of a level before the paths below them. */
  *paths(prefix: FieldPath = []): Generator<FieldPath> {
    for (const element of this.elements) if (this.hasElement(element)) yield [...prefix, element];
    for (const element of this.elements) yield* this.withPrefix(element).paths([...prefix, element]);
  }

  /** Returns the paths in either set. */
  union(other: FieldSet): FieldSet {
    if (other.isEmpty || this === other) return this;
    if (this.isEmpty) return other;
    const nodes = new Map(this.#nodes);
    for (const [element, node] of other.#nodes) {
      const mine = nodes.get(element);
      nodes.set(
        element,
        mine === undefined
          ? node
          : { member: mine.member || node.member, withPrefix: mine.withPrefix.union(node.withPrefix) },
      );
    }
    return new FieldSet(nodes);
  }

  /** Returns the paths in both sets. */
  intersection(other: FieldSet): FieldSet {
    return this.#each(
      (mine, theirs) =>
        theirs === undefined
          ? undefined
          : { member: mine.member && theirs.member, withPrefix: mine.withPrefix.intersection(theirs.withPrefix) },
      other,
    );
  }

  /** Returns the paths that are not in the other set. Paths below those of the other set are kept. */
  difference(other: FieldSet): FieldSet {
    if (other.isEmpty || this.isEmpty) return this;
    return this.#each((mine, theirs) => {
      if (theirs === undefined) return mine;
      const member = mine.member && !theirs.member;
      const withPrefix = mine.withPrefix.difference(theirs.withPrefix);
      return member === mine.member && withPrefix === mine.withPrefix ? mine : { member, withPrefix };
    }, other);
  }

  /** Returns the paths that are neither in the other set nor below one of its paths. */
  recursiveDifference(other: FieldSet): FieldSet {
    if (other.isEmpty || this.isEmpty) return this;
    return this.#each((mine, theirs) => {
      if (theirs === undefined) return mine;
      return theirs.member
        ? undefined
        : { member: mine.member, withPrefix: mine.withPrefix.recursiveDifference(theirs.withPrefix) };
    }, other);
  }

  /** Returns the paths that match a pattern. */
  filter(pattern: FieldPattern): FieldSet {
    if (pattern === "all") return this;
    const kept: [PathElement, FieldNode][] = [];
    for (const [element, node] of this.#nodes) {
      const below = pattern[element] ?? pattern["*"];
      if (below !== undefined) kept.push([element, { member: node.member, withPrefix: node.withPrefix.filter(below) }]);
    }
    return FieldSet.from(kept);
  }

  equals(other: FieldSet): boolean {
    if (this === other) return true;
    if (this.#nodes.size !== other.#nodes.size) return false;
    for (const [element, node] of this.#nodes) {
      const theirs = other.#nodes.get(element);
      if (theirs?.member !== node.member || !theirs.withPrefix.equals(node.withPrefix)) return false;
    }
    return true;
  }

  #each(decide: (mine: FieldNode, theirs: FieldNode | undefined) => FieldNode | undefined, other: FieldSet): FieldSet {
    const kept: [PathElement, FieldNode][] = [];
    let isSame = true;
    for (const [element, node] of this.#nodes) {
      const decided = decide(node, other.#nodes.get(element));
      if (decided !== undefined) kept.push([element, decided]);
      isSame &&= decided === node;
    }
    return isSame ? this : FieldSet.from(kept);
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
      yield [element, { member, withPrefix: below?.build() ?? FieldSet.empty }];
    }
  }
}
