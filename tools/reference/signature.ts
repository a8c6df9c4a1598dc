import { parseSync } from "rolldown/utils";
import type { Class, Directive, Expression, Statement } from "@oxc-project/types";

/** The declaration of a public name, as the reference shows it. */
export interface Signature {
  readonly group: "functions" | "classes" | "constants" | "types";
  /** The first sentence of its doc comment. */
  readonly summary: string;
  /** TypeScript without bodies, values and comments. */
  readonly code: string;
}

interface Range {
  readonly start: number;
  readonly end: number;
}

/** A module, with its comments removed from `code`: offsets stay the same. */
interface Module {
  readonly text: string;
  readonly code: string;
  readonly statements: readonly (Directive | Statement)[];
}

/** Returns the signatures of the top-level declarations of a module: name → signature. */
export function signaturesOf(path: string, text: string): ReadonlyMap<string, Signature> {
  const { program, comments } = parseSync(path, text);
  const module = { text, code: withoutComments(text, comments), statements: program.body };
  const signatures = new Map<string, Signature>();
  for (const statement of module.statements) {
    for (const [name, signature] of declaredBy(module, statement)) {
      const known = signatures.get(name);
      // Overloads are declarations without bodies; the implementation after them is not callable.
      const isOverload = known?.group === "functions" && signature.group === "functions";
      if (known === undefined) signatures.set(name, signature);
      else if (isOverload && signature.code.endsWith(";")) {
        signatures.set(name, { ...known, code: `${known.code}\n${signature.code}` });
      }
    }
  }
  return signatures;
}

function declaredBy(module: Module, statement: Directive | Statement): readonly (readonly [string, Signature])[] {
  const declaration =
    statement.type === "ExportNamedDeclaration" && statement.declaration !== null ? statement.declaration : statement;
  const summary = summaryBefore(module.text, statement.start);
  const code = (range: Range): string => tidied(module.code.slice(range.start, range.end));
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
        const { typeAnnotation } = id;
        const type = typeAnnotation ? code(typeAnnotation) : "";
        const value = type === "" && init !== null ? valueCode(init, code) : "";
        return [[id.name, { group: "constants", summary, code: `const ${id.name}${type}${value}` }] as const];
      });
    default:
      return [];
  }
}

/** Returns the value of a constant without a type annotation: a literal, or the function that creates it. */
function valueCode(value: Expression, code: (range: Range) => string): string {
  if (value.type === "Literal") return ` = ${code(value)}`;
  return value.type === "CallExpression" ? ` = ${code(value.callee)}(…)` : "";
}

/** Returns a class with its public members, without bodies and initial values. */
function classCode({ code }: Module, declaration: Class): string {
  const head = tidied(code.slice(declaration.start, declaration.body.start));
  const members = declaration.body.body.flatMap((member) => {
    if (member.type !== "MethodDefinition" && member.type !== "PropertyDefinition") return [];
    if (member.key.type === "PrivateIdentifier" || (member.accessibility ?? "public") !== "public") return [];
    const end =
      "kind" in member ? (member.value.body?.start ?? member.end) : (member.typeAnnotation?.end ?? member.key.end);
    return `  ${tidied(code.slice(member.start, end)).replace(/;$/, "").replaceAll("\n", "\n  ")};`;
  });
  return [`${head} {`, ...members, "}"].join("\n");
}

/** Returns the first sentence of the doc comment that ends right before an offset. */
function summaryBefore(text: string, offset: number): string {
  const [, comment] = /\/\*\*((?:[^*]|\*(?!\/))*)\*\/\s*$/.exec(text.slice(0, offset)) ?? [];
  const prose = (comment ?? "")
    .replaceAll(/\s*\n\s*\* ?/g, " ")
    .replaceAll(/\{@link ([^}]+)\}/g, "`$1`")
    .trim();
  return /^(?:`[^`]*`|[^`])*?[.?!](?=\s|$)/.exec(prose)?.[0] ?? prose;
}

function withoutComments(text: string, comments: readonly Range[]): string {
  let code = "";
  let at = 0;
  for (const { start, end } of comments) {
    code += text.slice(at, start) + text.slice(start, end).replaceAll(/[^\n]/g, " ");
    at = end;
  }
  return code + text.slice(at);
}

/** Removes blank lines and spaces at the ends of lines. */
function tidied(code: string): string {
  return code
    .split("\n")
    .map((line) => line.trimEnd())
    .filter((line) => line !== "")
    .join("\n")
    .trim();
}
