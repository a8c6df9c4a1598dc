import { importsOf, scanNames } from "./import.ts";
import type { ModuleImport } from "./import.ts";
import { matchBrackets, stringValue, tokensOf } from "./token.ts";
import type { Token } from "./token.ts";
import { perFile } from "../tree.ts";
import type { SourceTree } from "../tree.ts";

/** A top-level declaration of a module. Of several declarations of a name, such as overloads, the first. */
export interface Declaration {
  /** Its keyword: `class`, `function`, `interface`, `type`, `const`. */
  readonly keyword: string;
  readonly line: number;
  readonly documented: boolean;
}

/** An export of a module. */
export type ModuleExport =
  /** `declaration` is undefined if it was not found. */
  | {
      readonly kind: "own";
      readonly name: string;
      readonly line: number;
      readonly declaration: Declaration | undefined;
    }
  /** `original` in another module; `*` is that module as a whole. */
  | {
      readonly kind: "forwarded";
      readonly name: string;
      readonly line: number;
      readonly original: string;
      readonly specifier: string;
    }
  /** All exports of another module except the default. */
  | { readonly kind: "all"; readonly line: number; readonly specifier: string };

/** Returns the exports of a file, in order. */
export const exportsOf: (tree: SourceTree, path: string) => readonly ModuleExport[] = perFile((_text, path, tree) =>
  scanExports(tokensOf(tree, path), importsOf(tree, path)),
);

interface Statement {
  /** Up to the next statement that may declare or export. */
  readonly tokens: readonly Token[];
  readonly isExport: boolean;
}

const MODIFIERS = new Set(["export", "declare", "abstract", "async", "default"]);
const KEYWORDS = new Set(["function", "class", "interface", "type", "const", "let", "var", "enum", "namespace"]);
const VARIABLES = new Set(["const", "let", "var"]);

/** Returns the exports of a program. `imports` are its imports. */
export function scanExports(tokens: readonly Token[], imports: readonly ModuleImport[]): readonly ModuleExport[] {
  const statements = statementsOf(tokens);
  const declarations = new Map<string, Declaration>();
  for (const { name, declaration } of statements.flatMap((statement) => declaredBy(statement))) {
    if (!declarations.has(name)) declarations.set(name, declaration);
  }
  return statements
    .filter(({ isExport }) => isExport)
    .flatMap((statement) => {
      const own = declaredBy(statement).map(({ name, declaration: { line } }): ModuleExport => {
        return { kind: "own", name, line, declaration: declarations.get(name) };
      });
      return own.length > 0 ? own : listedBy(statement, declarations, imports);
    });
}

/** Returns the top-level statements that may declare or export. */
function statementsOf(tokens: readonly Token[]): readonly Statement[] {
  const partners = matchBrackets(tokens);
  const starts: number[] = [];
  let isStart = true;
  for (let index = 0; index < tokens.length; index += 1) {
    const text = tokens[index]?.text ?? "";
    if (isStart && (MODIFIERS.has(text) || KEYWORDS.has(text))) starts.push(index);
    index = partners.get(index) ?? index;
    // A block ends the statement before it. Where it does not, none of these words can follow.
    isStart = tokens[index]?.text === ";" || tokens[index]?.text === "}";
  }
  return starts.map((start, order) => {
    return { tokens: tokens.slice(start, starts[order + 1]), isExport: tokens[start]?.text === "export" };
  });
}

function declaredBy({ tokens }: Statement): readonly { readonly name: string; readonly declaration: Declaration }[] {
  const [first] = tokens;
  if (first === undefined) return [];
  const start = tokens.findIndex(({ text }) => !MODIFIERS.has(text));
  const isDefault = tokens[start - 1]?.text === "default" || tokens[start - 2]?.text === "default";
  const keyword = tokens[start]?.text ?? "";
  const declaration = { keyword, line: first.line, documented: first.documented };
  const names = KEYWORDS.has(keyword) ? declaredNames(tokens.slice(start)) : [];
  if (isDefault) return [...names, "default"].map((name) => ({ name, declaration }));
  return names.map((name) => ({ name, declaration }));
}

function declaredNames(tokens: readonly Token[]): readonly string[] {
  const [keyword, second, third] = tokens;
  const isVariable = VARIABLES.has(keyword?.text ?? "");
  const isSkipped = isVariable ? second?.text === "enum" : keyword?.text === "function" && second?.text === "*";
  const name = isSkipped ? third : second;
  if (name?.kind === "word") return [name.text];
  if (!isVariable) return [];
  const close = matchBrackets(tokens).get(1) ?? 1;
  return tokens
    .slice(2, close)
    .filter((token, index, inside) => token.kind === "word" && inside[index + 1]?.text !== ":")
    .map((token) => token.text);
}

/** Returns the exports of `export { … }`, `export { … } from`, `export * from` and their `type` forms. */
function listedBy(
  { tokens }: Statement,
  declarations: ReadonlyMap<string, Declaration>,
  imports: readonly ModuleImport[],
): readonly ModuleExport[] {
  const start = tokens[1]?.text === "type" ? 2 : 1;
  const line = tokens[0]?.line ?? 1;
  if (tokens[start]?.text === "*") {
    const isNamed = tokens[start + 1]?.text === "as";
    const specifier = stringValue(tokens[start + (isNamed ? 4 : 2)]) ?? "";
    if (!isNamed) return [{ kind: "all", line, specifier }];
    return [{ kind: "forwarded", name: tokens[start + 2]?.text ?? "", line, original: "*", specifier }];
  }
  const close = tokens[start]?.text === "{" ? tokens.findIndex(({ text }) => text === "}") : -1;
  if (close === -1) return [];
  const from = tokens[close + 1]?.text === "from" ? stringValue(tokens[close + 2]) : undefined;
  return scanNames(tokens.slice(start + 1, close)).map(({ name, alias, line: nameLine }) => {
    const common = { name: alias, line: nameLine };
    if (from !== undefined) return { kind: "forwarded", ...common, original: name, specifier: from };
    const imported = declarations.has(name) ? undefined : imports.find(({ bindings }) => bindings.has(name));
    if (imported === undefined) return { kind: "own", ...common, declaration: declarations.get(name) };
    const original = imported.bindings.get(name) ?? name;
    return { kind: "forwarded", ...common, original, specifier: imported.specifier };
  });
}
