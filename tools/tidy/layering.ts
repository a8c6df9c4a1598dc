import { INNER_LAYERS, LAYERS, ROOT_FILES } from "./layers.ts";
import type { LayerRule } from "./layers.ts";
import { importsOf } from "./source/import.ts";
import { importTargetOf } from "./source/resolve.ts";
import { isTest, locationInSource, sourcePaths } from "./tree.ts";
import type { SourceTree } from "./tree.ts";
import type { Violation } from "./violation.ts";

type Problem = Pick<Violation, "message" | "fix">;
type Place = NonNullable<ReturnType<typeof locationInSource>>;

const TABLE = "tools/tidy/layers.ts";

/**
 * Reports imports inside a package of folders that are not in a lower layer, or not through their `index.ts`; and
 * imports inside a folder with inner layers of subfolders that are not in a lower layer.
 */
export function checkLayering(tree: SourceTree): readonly Violation[] {
  const violations: Violation[] = [];
  const reported = new Set<string>();
  for (const path of sourcePaths(tree)) {
    const place = locationInSource(path);
    if (place === undefined || isTest(path)) continue;
    const layers = LAYERS[place.package];
    const inner = innerPlace(place);
    const innerLayers = INNER_LAYERS[inner.package];
    const unlisted =
      checkPlace(layers, place) ?? (innerLayers === undefined ? undefined : checkPlace(innerLayers, inner));
    if (layers === undefined || unlisted !== undefined) {
      const named = innerLayers === undefined ? place : inner;
      const name = `${named.package}/${named.folder ?? named.rest}`;
      if (unlisted !== undefined && !reported.has(name)) violations.push({ file: path, line: 1, ...unlisted });
      reported.add(name);
      continue;
    }
    for (const { specifier, line, kind } of importsOf(tree, path)) {
      if (kind === "url") continue;
      const target = importTargetOf(path, specifier);
      const to = target.kind === "path" ? locationInSource(target.path) : undefined;
      if (to?.package !== place.package) continue;
      const isInner = innerLayers !== undefined && to.folder === place.folder;
      const problem = isInner
        ? checkDirection(innerLayers, inner, innerPlace(to))
        : (checkDirection(layers, place, to) ?? checkEntry(place, to));
      if (problem !== undefined) violations.push({ file: path, line, ...problem });
    }
  }
  return violations;
}

function checkPlace(layers: LayerRule | undefined, place: Place): Problem | undefined {
  if (layers === undefined) {
    return { message: `packages/${place.package} has no layers`, fix: `add them to ${TABLE}` };
  }
  if (isTop(layers, place) || layers.layers.some((row) => row.includes(layerOf(place)))) return undefined;
  return place.folder === undefined
    ? { message: `${place.rest} is directly in ${parentOf(place)}`, fix: "move it into the folder of its layer" }
    : { message: `the folder ${place.folder} has no layer`, fix: `add it to ${TABLE}` };
}

/** Returns the same place within its folder of `src`: `operator/operand`, folder `spec`. */
function innerPlace({ package: name, folder, rest }: Place): Place {
  const [, subfolder, below = rest] = /^([^/]+)\/(.+)$/u.exec(rest) ?? [];
  return { package: `${name}/${folder ?? ""}`, folder: subfolder, rest: below };
}

function parentOf(place: Place): string {
  return place.package.split("/")[1] ?? "src";
}

function checkDirection(layers: LayerRule, from: Place, to: Place): Problem | undefined {
  const [source, target] = [layerOf(from), layerOf(to)];
  if (isTop(layers, to)) {
    if (isTop(layers, from)) return undefined;
    const what = from.package.includes("/") ? "folder" : "package";
    return { message: `imports ${to.rest}, the top of the ${what}`, fix: "import the folder that declares it" };
  }
  if (isTop(layers, from) || source === target) return undefined;
  const below = layers.layers
    .slice(
      0,
      layers.layers.findIndex((row) => row.includes(source)),
    )
    .flat();
  if (below.includes(target)) return undefined;
  const allowed = below.length === 0 ? "no other folder" : below.join(", ");
  const fix = `it may import ${allowed} (${TABLE}): invert the dependency or move the code`;
  return { message: `imports ${target} from ${source}`, fix };
}

function checkEntry(from: Place, to: Place): Problem | undefined {
  if (layerOf(from) === layerOf(to) || to.folder === undefined || to.rest === "index.ts") return undefined;
  const wrong = `imports ${to.folder}/${to.rest} from outside of its folder`;
  return { message: wrong, fix: `export it from ${to.folder}/index.ts and import that` };
}

function isTop(layers: LayerRule, place: Place): boolean {
  return place.folder === undefined && layers.entryFiles.includes(place.rest);
}

function layerOf(place: Place): string {
  return place.folder ?? ROOT_FILES;
}
