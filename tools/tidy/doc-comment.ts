import { publicEntries } from "./entry.ts";
import { publicNames } from "./public-name.ts";
import type { Found } from "./public-name.ts";
import type { Tree } from "./tree.ts";
import type { Violation } from "./violation.ts";

/** Every name that a public entry exports has a doc comment at its declaration. */
export function checkDocComments(tree: Tree): readonly Violation[] {
  const violations = new Map<string, Violation>();
  for (const { specifier, file } of publicEntries(tree)) {
    if (!tree.has(file)) continue;
    for (const [name, found] of publicNames(tree, file)) {
      const violation = judge(name, specifier, found);
      if (violation !== undefined) violations.set(`${violation.file}:${violation.line}:${name}`, violation);
    }
  }
  return [...violations.values()];
}

function judge(name: string, specifier: string, found: Found): Violation | undefined {
  if (found.kind === "elsewhere") return undefined;
  if (found.kind === "lost") {
    const { file, line } = found;
    return { file, line, wrong: `exports ${name}, but its declaration was not found`, instead: "declare it plainly" };
  }
  const { file, declaration } = found;
  if (declaration.documented) return undefined;
  const wrong = `${name} is public (${specifier}) and has no doc comment`;
  return { file, line: declaration.line, wrong, instead: "say above it what its users can rely on" };
}
