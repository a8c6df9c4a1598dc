import { publicEntries } from "../source/entry.ts";
import { publicNames } from "../source/public-name.ts";
import type { ResolvedExport } from "../source/public-name.ts";
import type { SourceTree } from "../tree.ts";
import type { Violation } from "../violation.ts";

/** Reports names of public entries without a doc comment at their declaration. */
export function checkDocComments(tree: SourceTree): readonly Violation[] {
  const violations = new Map<string, Violation>();
  for (const { specifier, file } of publicEntries(tree)) {
    if (!tree.has(file)) continue;
    for (const [name, found] of publicNames(tree, file)) {
      const violation = evaluate(name, specifier, found);
      if (violation !== undefined) violations.set(`${violation.file}:${violation.line}:${name}`, violation);
    }
  }
  return [...violations.values()];
}

function evaluate(name: string, specifier: string, found: ResolvedExport): Violation | undefined {
  if (found.kind === "elsewhere") return undefined;
  if (found.kind === "lost") {
    const { file, line } = found;
    return {
      file,
      line,
      message: `exports ${name}, but its declaration was not found`,
      fix: "declare it at the top level of a module",
    };
  }
  const { file, declaration } = found;
  if (declaration.documented) return undefined;
  const wrong = `${name} is public (${specifier}) and has no doc comment`;
  return { file, line: declaration.line, message: wrong, fix: "add a doc comment that states what users can rely on" };
}
