import { LAYERS, LOOSE_FILES } from "./layers.ts";
import type { LayerRule } from "./layers.ts";
import { importsOf } from "./import.ts";
import { targetOf } from "./resolve.ts";
import { isTest, placeInSource, sourcePaths } from "./tree.ts";
import type { Tree } from "./tree.ts";
import type { Violation } from "./violation.ts";

type Finding = Pick<Violation, "wrong" | "instead">;
type Place = NonNullable<ReturnType<typeof placeInSource>>;

const TABLE = "tools/tidy/layers.ts";

/** Inside of a package, folders import only folders of lower layers, and only through their `index.ts`. */
export function checkLayering(tree: Tree): readonly Violation[] {
  const violations: Violation[] = [];
  const reported = new Set<string>();
  for (const path of sourcePaths(tree)) {
    const place = placeInSource(path);
    if (place === undefined || isTest(path)) continue;
    const layers = LAYERS[place.package];
    const unlisted = judgePlace(layers, place);
    if (layers === undefined || unlisted !== undefined) {
      const name = `${place.package}/${place.folder ?? place.rest}`;
      if (unlisted !== undefined && !reported.has(name)) violations.push({ file: path, line: 1, ...unlisted });
      reported.add(name);
      continue;
    }
    for (const { specifier, line, kind } of importsOf(tree, path)) {
      if (kind === "url") continue;
      const target = targetOf(path, specifier);
      const to = target.kind === "path" ? placeInSource(target.path) : undefined;
      const finding = to?.package === place.package ? judgeImport(layers, place, to) : undefined;
      if (finding !== undefined) violations.push({ file: path, line, ...finding });
    }
  }
  return violations;
}

function judgePlace(layers: LayerRule | undefined, place: Place): Finding | undefined {
  if (layers === undefined) {
    return { wrong: `nothing says which layers packages/${place.package} has`, instead: `add them to ${TABLE}` };
  }
  if (isTop(layers, place) || layers.rows.some((row) => row.includes(layerOf(place)))) return undefined;
  return place.folder === undefined
    ? { wrong: `${place.rest} lies loose in src`, instead: "move it into the folder of its layer" }
    : { wrong: `nothing says which layer the folder ${place.folder} is`, instead: `add it to ${TABLE}` };
}

function judgeImport(layers: LayerRule, from: Place, to: Place): Finding | undefined {
  const [source, target] = [layerOf(from), layerOf(to)];
  if (isTop(layers, to)) {
    if (isTop(layers, from)) return undefined;
    return { wrong: `imports ${to.rest}, the top of the package`, instead: "import the folder that declares it" };
  }
  if (!isTop(layers, from) && source !== target) {
    const below = layers.rows
      .slice(
        0,
        layers.rows.findIndex((row) => row.includes(source)),
      )
      .flat();
    if (!below.includes(target)) {
      const allowed = below.length === 0 ? "nothing of this package" : below.join(", ");
      const instead = `it may import ${allowed} (${TABLE}): turn the dependency around or move the code`;
      return { wrong: `imports ${target} from ${source}`, instead };
    }
  }
  if (source === target || to.folder === undefined || to.rest === "index.ts") return undefined;
  const wrong = `imports ${to.folder}/${to.rest} from outside of its folder`;
  return { wrong, instead: `export it from ${to.folder}/index.ts and import that` };
}

function isTop(layers: LayerRule, place: Place): boolean {
  return place.folder === undefined && layers.tops.includes(place.rest);
}

function layerOf(place: Place): string {
  return place.folder ?? LOOSE_FILES;
}
