import { parseSync } from "rolldown/utils";
import type { Class, ClassElement, Directive, Expression, Statement } from "@oxc-project/types";

/** The declaration of a public name, as the reference shows it. */
export interface Signature {
  readonly group: "functions" | "classes" | "constants" | "types";
  /** The first sentence of its doc comment. */
  readonly summary: string;
  /** TypeScript without bodies and values. Members keep the first sentence of their doc comments. */
  readonly code: string;
}

interface Range {
  readonly start: number;
  readonly end: number;
}

type Comment = ReturnType<typeof parseSync>["comments"][number];

interface Module {
  readonly text: string;
  readonly comments: readonly Comment[];
  readonly statements: readonly (Directive | Statement)[];
}

/** Returns the signatures of the top-level declarations of a module: name → signature. */
export function signaturesOf(path: string, text: string): ReadonlyMap<string, Signature> {
  const { program, comments } = parseSync(path, text);
  const module = { text, comments, statements: program.body };
  const signatures = new Map<string, Signature>();
  for (const statement of module.statements) {
    for (const [name, signature] of declaredBy(module, statement)) {
      const known = signatures.get(name);
      // Overloads are declarations without bodies; the implementation after them is not callable.
      const isImplementation = known?.group === "functions" && !signature.code.endsWith(";");
      if (known === undefined) signatures.set(name, signature);
      else if (!isImplementation) signatures.set(name, { ...known, code: `${known.code}\n${signature.code}` });
    }
  }
  return signatures;
}

function declaredBy(module: Module, statement: Directive | Statement): readonly (readonly [string, Signature])[] {
  const declaration =
    statement.type === "ExportNamedDeclaration" && statement.declaration !== null ? statement.declaration : statement;
  const summary = summaryBefore(module, statement.start);
  const code = (range: Range): string => codeIn(module, range);
  switch (declaration.type) {
    case "FunctionDeclaration":
    case "TSDeclareFunction": {
      const { id, start, end, body } = declaration;
      const signature = code({ start, end: body?.start ?? end });
      return id === null ? [] : [[id.name, { group: "functions", summary, code: signature }]];
    }
    case "ClassDeclaration": {
      const { id } = declaration;
      return id === null ? [] : [[id.name, { group: "classes", summary, code: classCode(module, declaration) }]];
    }
    case "TSInterfaceDeclaration":
    case "TSTypeAliasDeclaration":
      return [[declaration.id.name, { group: "types", summary, code: code(declaration) }]];
    case "VariableDeclaration":
      return declaration.declarations.flatMap(({ id, init }) => {
        if (id.type !== "Identifier") return [];
        const type = id.typeAnnotation ? code(id.typeAnnotation) : typeOrValue(init, code);
        return [[id.name, { group: "constants", summary, code: `const ${id.name}${type}` }] as const];
      });
    default:
      return [];
  }
}

/** Returns what shows the type of a value without a type annotation: a literal, a type assertion, or the function that creates it. */
function typeOrValue(value: Expression | null, code: (range: Range) => string): string {
  switch (value?.type) {
    case "Literal":
      return ` = ${code(value)}`;
    case "CallExpression":
      return ` = ${code(value.callee)}(…)`;
    case "TSAsExpression":
    case "TSSatisfiesExpression": {
      const type = code(value.typeAnnotation);
      return type === "const" ? ` = ${code(value)}` : `: ${type}`;
    }
    default:
      return "";
  }
}

/** Returns a class with its public members, without bodies. */
function classCode(module: Module, declaration: Class): string {
  const elements = declaration.body.body;
  const head = codeIn(module, { start: declaration.start, end: declaration.body.start });
  const overloads = new Set(elements.filter((each) => bodyOf(each) === null).map((each) => keyOf(module, each)));
  const members = elements.flatMap((member) => {
    if (!("key" in member) || member.key.type === "PrivateIdentifier") return [];
    if ((member.accessibility ?? "public") !== "public") return [];
    const body = bodyOf(member);
    if (body && overloads.has(keyOf(module, member))) return [];
    const code = (range: Range): string => codeIn(module, range);
    const type =
      "kind" in member || member.typeAnnotation ? "" : typeOrValue("value" in member ? member.value : null, code);
    const end = "kind" in member ? (body?.start ?? member.end) : (member.typeAnnotation?.end ?? member.key.end);
    const signature = code({ start: member.start, end }).replace(/;$/, "");
    const summary = summaryBefore(module, member.start);
    return [...(summary === "" ? [] : [`  ${docComment(summary)}`]), `  ${signature}${type};`];
  });
  return [`${head} {`, ...members, "}"].join("\n");
}

/** Returns the body of a method; null for an overload, undefined for other members. */
function bodyOf(member: ClassElement): Range | null | undefined {
  return member.type === "MethodDefinition" ? member.value.body : undefined;
}

function keyOf({ text }: Module, member: ClassElement): string {
  return "key" in member ? text.slice(member.key.start, member.key.end) : "";
}

/** Returns the code of a range without blank lines. Of its comments, the first sentence of doc comments is left. */
function codeIn({ text, comments }: Module, { start, end }: Range): string {
  let code = "";
  let at = start;
  for (const comment of comments) {
    if (comment.start < start || comment.end > end) continue;
    const summary = summaryOf(comment);
    code += text.slice(at, comment.start) + (summary === "" ? "" : docComment(summary));
    at = comment.end;
  }
  return (code + text.slice(at, end))
    .split("\n")
    .map((line) => line.trimEnd())
    .filter((line) => line !== "")
    .join("\n")
    .trim();
}

/** Returns the first sentence of the doc comment that ends right before an offset. */
function summaryBefore({ text, comments }: Module, offset: number): string {
  const comment = comments.findLast(({ end }) => end <= offset);
  return comment === undefined || text.slice(comment.end, offset).trim() !== "" ? "" : summaryOf(comment);
}

/** Returns the first sentence of a doc comment, which ends with its first paragraph at the latest; empty for other comments. */
function summaryOf({ type, value }: Comment): string {
  if (type !== "Block" || !value.startsWith("*")) return "";
  const [paragraph = ""] = value
    .slice(1)
    .trim()
    .replaceAll(/^\s*\* ?/gm, "")
    .split(/\n\s*\n/);
  const prose = paragraph
    .replaceAll(/\s*\n\s*/g, " ")
    .replaceAll(/\{@link ([^}]+)\}/g, "`$1`")
    .trim();
  return /^(?:`[^`]*`|[^`])*?[.?!](?=\s|$)/.exec(prose)?.[0] ?? prose.replace(/:$/, ".");
}

function docComment(summary: string): string {
  return `/** ${summary} */`;
}
