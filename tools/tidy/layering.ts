import { LAYERS, ROOT_FILES } from "./layers.ts";
import type { LayerRule } from "./layers.ts";
import { importsOf } from "./import.ts";
import { importTargetOf } from "./resolve.ts";
import { isTest, locationInSource, sourcePaths } from "./tree.ts";
import type { SourceTree } from "./tree.ts";
import type { Violation } from "./violation.ts";

type Problem = Pick<Violation, "message" | "fix">;
type Place = NonNullable<ReturnType<typeof locationInSource>>;

const TABLE = "tools/tidy/layers.ts";

/** Reports imports inside a package of folders that are not in a lower layer, or not through their `index.ts`. */
export function checkLayering(tree: SourceTree): readonly Violation[] {
  const violations: Violation[] = [];
  const reported = new Set<string>();
  for (const path of sourcePaths(tree)) {
    const place = locationInSource(path);
    if (place === undefined || isTest(path)) continue;
    const layers = LAYERS[place.package];
    const unlisted = checkPlace(layers, place);
    if (layers === undefined || unlisted !== undefined) {
      const name = `${place.package}/${place.folder ?? place.rest}`;
      if (unlisted !== undefined && !reported.has(name)) violations.push({ file: path, line: 1, ...unlisted });
      reported.add(name);
      continue;
    }
    for (const { specifier, line, kind } of importsOf(tree, path)) {
      if (kind === "url") continue;
      const target = importTargetOf(path, specifier);
      const to = target.kind === "path" ? locationInSource(target.path) : undefined;
      const problem = to?.package === place.package ? checkImport(layers, place, to) : undefined;
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
    ? { message: `${place.rest} is directly in src`, fix: "move it into the folder of its layer" }
    : { message: `the folder ${place.folder} has no layer`, fix: `add it to ${TABLE}` };
}

function checkImport(layers: LayerRule, from: Place, to: Place): Problem | undefined {
  const [source, target] = [layerOf(from), layerOf(to)];
  if (isTop(layers, to)) {
    if (isTop(layers, from)) return undefined;
    return { message: `imports ${to.rest}, the top of the package`, fix: "import the folder that declares it" };
  }
  if (!isTop(layers, from) && source !== target) {
    const below = layers.layers
      .slice(
        0,
        layers.layers.findIndex((row) => row.includes(source)),
      )
      .flat();
    if (!below.includes(target)) {
      const allowed = below.length === 0 ? "no other folder" : below.join(", ");
      const fix = `it may import ${allowed} (${TABLE}): invert the dependency or move the code`;
      return { message: `imports ${target} from ${source}`, fix };
    }
  }
  if (source === target || to.folder === undefined || to.rest === "index.ts") return undefined;
  const wrong = `imports ${to.folder}/${to.rest} from outside of its folder`;
  return { message: wrong, fix: `export it from ${to.folder}/index.ts and import that` };
}

function isTop(layers: LayerRule, place: Place): boolean {
  return place.folder === undefined && layers.entryFiles.includes(place.rest);
}

function layerOf(place: Place): string {
  return place.folder ?? ROOT_FILES;
}
