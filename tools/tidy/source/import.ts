import { matchBrackets, stringValue, tokensOf } from "./token.ts";
import type { Token } from "./token.ts";
import { perFile } from "../tree.ts";
import type { SourceTree } from "../tree.ts";

/** An import of another module, or another reference to it. */
export interface ModuleImport {
  readonly specifier: string;
  readonly line: number;
  /**
   * `static`: `import … from` and `export … from`, also of types. `dynamic`: `import(…)`, also of types, and
   * `require(…)`. `url`: `new URL(…, import.meta.url)`, which names a file for another process.
   */
  readonly kind: "static" | "dynamic" | "url";
  /** For `import … from`: local name to the name in that module; `*` is the module as a whole. */
  readonly bindings: ReadonlyMap<string, string>;
}

const NO_BINDINGS: ReadonlyMap<string, string> = new Map();

/** Returns the modules that a program references, in order. */
export function scanImports(tokens: readonly Token[]): readonly ModuleImport[] {
  const partners = matchBrackets(tokens);
  const imports: ModuleImport[] = [];
  for (const [index, { kind, text }] of tokens.entries()) {
    if (kind !== "word" || tokens[index - 1]?.text === ".") continue;
    if (text === "import") push(imports, dynamicImport(tokens, index) ?? staticImport(tokens, partners, index));
    if (text === "export") push(imports, exportFrom(tokens, partners, index));
    if (text === "require") push(imports, requireCall(tokens, index));
    if (text === "URL") push(imports, fileUrl(tokens, index));
  }
  return imports;
}

/** Returns the modules that a file references, in order. */
export const importsOf: (tree: SourceTree, path: string) => readonly ModuleImport[] = perFile((_text, path, tree) =>
  scanImports(tokensOf(tree, path)),
);

function push(imports: ModuleImport[], found: ModuleImport | undefined): void {
  if (found !== undefined) imports.push(found);
}

function dynamicImport(tokens: readonly Token[], index: number): ModuleImport | undefined {
  return tokens[index + 1]?.text === "(" ? mention("dynamic", tokens[index + 2]) : undefined;
}

function requireCall(tokens: readonly Token[], index: number): ModuleImport | undefined {
  if (tokens[index + 1]?.text === "(") return mention("dynamic", tokens[index + 2]);
  const isResolve = tokens[index + 1]?.text === "." && tokens[index + 2]?.text === "resolve";
  return isResolve && tokens[index + 3]?.text === "(" ? mention("dynamic", tokens[index + 4]) : undefined;
}

function fileUrl(tokens: readonly Token[], index: number): ModuleImport | undefined {
  const rest = tokens.slice(index + 3, index + 9).map((token) => token.text);
  const isOurs = tokens[index + 1]?.text === "(" && rest.join("").startsWith(",import.meta.url");
  const found = isOurs ? mention("url", tokens[index + 2]) : undefined;
  if (found === undefined || /^(?:[a-z][a-z\d+.-]*:|[./])/i.test(found.specifier)) return found;
  return { ...found, specifier: `./${found.specifier}` };
}

function staticImport(
  tokens: readonly Token[],
  partners: ReadonlyMap<number, number>,
  index: number,
): ModuleImport | undefined {
  const sideEffect = mention("static", tokens[index + 1]);
  if (sideEffect !== undefined) return sideEffect;
  const from = findFrom(tokens, partners, index + 1);
  return from === undefined
    ? undefined
    : mention("static", tokens[from + 1], bindingsBetween(tokens, partners, index + 1, from));
}

function exportFrom(
  tokens: readonly Token[],
  partners: ReadonlyMap<number, number>,
  index: number,
): ModuleImport | undefined {
  const next = tokens[index + 1]?.text === "type" ? index + 2 : index + 1;
  const opening = tokens[next]?.text;
  if (opening !== "*" && opening !== "{") return undefined;
  const from = findFrom(tokens, partners, next);
  return from === undefined ? undefined : mention("static", tokens[from + 1]);
}

/** Returns the index of `from` in a statement, after names, stars and one list in braces. */
function findFrom(tokens: readonly Token[], partners: ReadonlyMap<number, number>, start: number): number | undefined {
  for (let index = start; index < tokens.length; index += 1) {
    const token = tokens[index];
    if (token?.text === "from" && stringValue(tokens[index + 1]) !== undefined) return index;
    if (token?.text === "{") index = partners.get(index) ?? tokens.length;
    else if (token?.kind !== "word" && token?.text !== "*" && token?.text !== ",") return undefined;
  }
  return undefined;
}

function bindingsBetween(
  tokens: readonly Token[],
  partners: ReadonlyMap<number, number>,
  start: number,
  end: number,
): ReadonlyMap<string, string> {
  const bindings = new Map<string, string>();
  for (let index = start; index < end; index += 1) {
    const token = tokens[index];
    if (token?.text === "*") {
      bindings.set(tokens[index + 2]?.text ?? "", "*");
      index += 2;
    } else if (token?.text === "{") {
      const close = partners.get(index) ?? end;
      for (const { name, alias } of scanNames(tokens.slice(index + 1, close))) bindings.set(alias, name);
      index = close;
    } else if (token?.kind === "word" && (token.text !== "type" || index + 1 === end)) {
      bindings.set(token.text, "default");
    }
  }
  return bindings;
}

/** Returns the names in the braces of an import or export: `a, type b, c as d`. */
export function scanNames(
  tokens: readonly Token[],
): readonly { readonly name: string; readonly alias: string; readonly line: number }[] {
  const names: { name: string; alias: string; line: number }[] = [];
  let words: Token[] = [];
  const flush = (): void => {
    const [first, second] = words;
    // `type` is a modifier unless it is itself the imported name.
    const start = first?.text === "type" && second !== undefined && second.text !== "as" ? 1 : 0;
    const name = words[start];
    if (name !== undefined)
      names.push({ name: name.text, alias: words[start + 2]?.text ?? name.text, line: name.line });
    words = [];
  };
  for (const token of tokens) {
    if (token.text === ",") flush();
    else words.push(token);
  }
  flush();
  return names;
}

function mention(
  kind: ModuleImport["kind"],
  token: Token | undefined,
  bindings: ReadonlyMap<string, string> = NO_BINDINGS,
): ModuleImport | undefined {
  const specifier = stringValue(token);
  return token === undefined || specifier === undefined ? undefined : { specifier, line: token.line, kind, bindings };
}
