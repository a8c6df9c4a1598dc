import { celEnvironment, celLibraries, formatType, optionalType } from "../cel/index.ts";
import type { CelProgram, CelType, SizeHints } from "../cel/index.ts";
import { celTypeOf } from "./cel-type.ts";
import { childPath } from "./field-error.ts";
import { costProblem, itemsMax, sizeHints } from "./rule-cost.ts";
import type { StructuralSchema, ValidationRule } from "./structural.ts";

/** A rule, ready to be evaluated. */
export interface CompiledRule {
  readonly rule: ValidationRule;
  readonly program: CelProgram;
  /** Whether it compares with the value before, and so only applies to updates. */
  readonly isTransition: boolean;
  /** Makes the message, where an expression does. */
  readonly message: CelProgram | undefined;
}

/** The rules of a schema, as a tree of the same shape; parts without rules are left out. */
export interface RuleSet {
  readonly type: StructuralSchema["type"];
  readonly rules: readonly CompiledRule[];
  readonly properties: ReadonlyMap<string, RuleSet>;
  readonly additionalProperties: RuleSet | undefined;
  readonly items: RuleSet | undefined;
  /** The fields that tell items apart; undefined where items of two versions cannot be matched. */
  readonly keys: readonly string[] | undefined;
}

/** Something wrong with a rule. */
export interface RuleIssue {
  /** Where the rule stands: `spec.listeners[*].x-kubernetes-validations[0].rule`. */
  readonly path: string;
  readonly message: string;
}

/** What the rules of a schema come to. */
export interface CompiledRules {
  /** Undefined when there are no rules at all. */
  readonly rules: RuleSet | undefined;
  readonly issues: readonly RuleIssue[];
}

/** Patterns, times and quantities that stand in a rule are checked when it is declared. */
const VALIDATED = { literals: "validate" } as const;

/** Compiles every rule of a schema. `isObjectRoot` says that the schema is that of a whole object, with its metadata. */
export function compileRules(schema: StructuralSchema, isObjectRoot = false): CompiledRules {
  const issues: RuleIssue[] = [];
  return { rules: compileNode(schema, { isObjectRoot, path: "", times: 1, hasBefore: true }, issues), issues };
}

/** Where in a schema we are. */
interface Place {
  readonly isObjectRoot: boolean;
  readonly path: string;
  /** How many values of this place one object can hold. */
  readonly times: number;
  /** Whether a value here can be matched with the one before an update: not below items that nothing tells apart. */
  readonly hasBefore: boolean;
}

function compileNode(schema: StructuralSchema, place: Place, issues: RuleIssue[]): RuleSet | undefined {
  const { path, times, hasBefore } = place;
  const keys = schema["x-kubernetes-list-type"] === "map" ? schema["x-kubernetes-list-map-keys"] : undefined;
  const rules = compileOwn(schema, place, issues);
  const properties = new Map<string, RuleSet>();
  for (const [name, child] of Object.entries(schema.properties ?? {})) {
    const compiled = compileNode(child, { isObjectRoot: false, path: childPath(path, name), times, hasBefore }, issues);
    if (compiled !== undefined) properties.set(name, compiled);
  }
  const { additionalProperties: rest, items: item } = schema;
  const isMatched = hasBefore && (item === undefined || keys !== undefined);
  const inside: Place = {
    isObjectRoot: false,
    path: `${path}[*]`,
    times: times * itemsMax(schema),
    hasBefore: isMatched,
  };
  const additionalProperties = rest === undefined ? undefined : compileNode(rest, inside, issues);
  const items = item === undefined ? undefined : compileNode(item, inside, issues);
  if (rules.length === 0 && properties.size === 0 && additionalProperties === undefined && items === undefined) {
    return undefined;
  }
  return { type: schema.type, rules, properties, additionalProperties, items, keys };
}

function compileOwn(schema: StructuralSchema, place: Place, issues: RuleIssue[]): readonly CompiledRule[] {
  const declared = schema["x-kubernetes-validations"] ?? [];
  if (declared.length === 0) return [];
  const { isObjectRoot, path, times, hasBefore } = place;
  const self = celTypeOf(schema, isObjectRoot || schema["x-kubernetes-embedded-resource"] === true);
  const hints = sizeHints(schema);
  return declared.flatMap((rule, index) => {
    const at = `${path === "" ? "" : `${path}.`}x-kubernetes-validations[${index}]`;
    if (self === undefined) {
      issues.push({ path: `${at}.rule`, message: "nothing is known of this value: give it a type" });
      return [];
    }
    return compileRule(rule, { self, hints, times, hasBefore }, at, issues);
  });
}

/** What a rule is compiled against. */
interface Subject {
  readonly self: CelType;
  readonly hints: SizeHints;
  readonly times: number;
  readonly hasBefore: boolean;
}

function compileRule(
  rule: ValidationRule,
  subject: Subject,
  path: string,
  issues: RuleIssue[],
): readonly CompiledRule[] {
  const { self, hints, times, hasBefore } = subject;
  const before = rule.optionalOldSelf === true ? optionalType(self) : self;
  const plain = celEnvironment({ variables: { self }, libraries: celLibraries.all }).compile(rule.rule, VALIDATED);
  const both = celEnvironment({ variables: { self, oldSelf: before }, libraries: celLibraries.all });
  // A rule that compiles without the value before does not speak of it.
  const compiled = plain.kind === "program" ? plain : both.compile(rule.rule, VALIDATED);
  if (compiled.kind === "issues") {
    issues.push(
      ...compiled.issues.map(({ message, column }) => ({
        path: `${path}.rule`,
        message: `column ${column}: ${message}`,
      })),
    );
    return [];
  }
  if (plain.kind === "issues" && !hasBefore) {
    issues.push({
      path: `${path}.rule`,
      message: "oldSelf is not known here: items of this list are not told apart, use .keyedBy()",
    });
    return [];
  }
  const { program } = compiled;
  if (program.type.kind !== "bool" && program.type.kind !== "dyn") {
    issues.push({ path: `${path}.rule`, message: `must evaluate to a bool, not ${formatType(program.type)}` });
    return [];
  }
  const expensive = costProblem(program, hints, times);
  if (expensive !== undefined) {
    issues.push({ path: `${path}.rule`, message: expensive });
    return [];
  }
  const message = rule.messageExpression === undefined ? undefined : both.compile(rule.messageExpression, VALIDATED);
  if (message?.kind === "issues") {
    const [first] = message.issues;
    issues.push({ path: `${path}.messageExpression`, message: first?.message ?? "cannot be compiled" });
    return [];
  }
  const wordless = message === undefined ? undefined : messageProblem(message.program, hints);
  if (wordless !== undefined) {
    issues.push({ path: `${path}.messageExpression`, message: wordless });
    return [];
  }
  return [{ rule, program, isTransition: plain.kind === "issues", message: message?.program }];
}

/** What is wrong with an expression that makes a message. The real server bounds one message, not one for each value. */
function messageProblem(program: CelProgram, hints: SizeHints): string | undefined {
  const { kind } = program.type;
  if (kind !== "string" && kind !== "dyn") return `must evaluate to a string, not ${formatType(program.type)}`;
  return costProblem(program, hints, 1);
}
