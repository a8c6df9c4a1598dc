import { edgesOf } from "./resolve.ts";
import { perTree, sourcePaths } from "./tree.ts";
import type { SourceTree } from "./tree.ts";
import type { Violation } from "./violation.ts";

type Graph = ReadonlyMap<string, ReadonlyMap<string, number>>;

/**
 * Reports import cycles, including type imports. Of cycles that share an import, only a shortest one is reported,
 * because one wrong import can close dozens.
 */
export function checkCycles(tree: SourceTree): readonly Violation[] {
  const graph = graphOf(tree);
  const cycles = onCycles(graph).map((file) => shortestCycle(graph, file));
  return apart(cycles.filter((cycle) => cycle.length > 0)).map((cycle) => {
    const [file = "", next = file] = cycle;
    const line = graph.get(file)?.get(next) ?? 1;
    const message = `import cycle: ${[...cycle, file].join(" → ")}`;
    return { file, line, message, fix: "move the shared code into its own file" };
  });
}

/** Returns cycles that share no import, short ones first. */
function apart(cycles: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const used = new Set<string>();
  return cycles
    .toSorted((a, b) => a.length - b.length)
    .filter((cycle) => {
      const imports = cycle.map((file, index) => `${file} → ${cycle[(index + 1) % cycle.length]}`);
      if (imports.some((each) => used.has(each))) return false;
      for (const each of imports) used.add(each);
      return true;
    });
}

/** File → imported files with line numbers. Files referenced by URL run in another process and are not edges. */
const graphOf: (tree: SourceTree) => Graph = perTree((tree) => {
  const graph = new Map<string, ReadonlyMap<string, number>>();
  for (const path of sourcePaths(tree)) {
    const targets = new Map<string, number>();
    for (const { to, line, kind } of edgesOf(tree, path)) if (kind !== "url" && !targets.has(to)) targets.set(to, line);
    graph.set(path, targets);
  }
  return graph;
});

/** Returns the files that remain after repeatedly removing files without imports and files that are not imported. */
function onCycles(graph: Graph): readonly string[] {
  const forward = new Map([...graph].map(([file, targets]) => [file, [...targets.keys()]]));
  const backward = new Map([...graph.keys()].map((file): [string, string[]] => [file, []]));
  for (const [file, targets] of forward) for (const target of targets) backward.get(target)?.push(file);
  const remaining = new Set(graph.keys());
  peel(remaining, forward, backward);
  peel(remaining, backward, forward);
  return [...remaining];
}

type Links = ReadonlyMap<string, readonly string[]>;

/** Removes the files without a link to a remaining file. */
function peel(remaining: Set<string>, links: Links, reverse: Links): void {
  const countOf = (file: string): number => (links.get(file) ?? []).filter((other) => remaining.has(other)).length;
  const counts = new Map([...remaining].map((file) => [file, countOf(file)]));
  const bare = [...remaining].filter((file) => counts.get(file) === 0);
  for (let file = bare.pop(); file !== undefined; file = bare.pop()) {
    remaining.delete(file);
    for (const other of reverse.get(file) ?? []) {
      const count = (counts.get(other) ?? 0) - 1;
      counts.set(other, count);
      if (count === 0 && remaining.has(other)) bare.push(other);
    }
  }
}

/** Returns the files of a shortest cycle through a file; empty if there is none. */
function shortestCycle(graph: Graph, start: string): readonly string[] {
  const cameFrom = new Map<string, string>();
  const queue = [start];
  for (const file of queue) {
    for (const target of graph.get(file)?.keys() ?? []) {
      if (target === start) return pathTo(cameFrom, start, file);
      if (cameFrom.has(target)) continue;
      cameFrom.set(target, file);
      queue.push(target);
    }
  }
  return [];
}

function pathTo(cameFrom: ReadonlyMap<string, string>, start: string, end: string): readonly string[] {
  const path = [end];
  for (let file = end; file !== start;) {
    file = cameFrom.get(file) ?? start;
    path.unshift(file);
  }
  return path;
}
