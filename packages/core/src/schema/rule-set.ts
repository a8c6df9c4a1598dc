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

/** Something wrong with a rule: it cannot be compiled or makes no sense, or it could cost too much. */
export interface RuleIssue {
  readonly kind: "invalid" | "cost";
  /** Where the rule stands: `spec.listeners[*].x-kubernetes-validations[0].rule`. */
  readonly path: string;
  /** The same place in the schema: `properties[spec].properties[listeners].items.x-kubernetes-validations[0].rule`. */
  readonly schemaPath: string;
  readonly message: string;
}

/** What a rule could cost. */
export interface RuleCost {
  /** Where it stands in the schema. */
  readonly schemaPath: string;
  readonly max: number;
}

/** What the rules of a schema come to. */
export interface CompiledRules {
  /** Undefined when there are no rules at all. */
  readonly rules: RuleSet | undefined;
  readonly issues: readonly RuleIssue[];
  /** What each rule could cost for one object at most, as the real server estimates it. */
  readonly costs: readonly RuleCost[];
}

/** Patterns, times and quantities that stand in a rule are checked when it is declared. */
const VALIDATED = { literals: "validate" } as const;

/** Compiles every rule of a schema. `isObjectRoot` says that the schema is that of a whole object, with its metadata. */
export function compileRules(schema: StructuralSchema, isObjectRoot = false): CompiledRules {
  const found: Findings = { issues: [], costs: [] };
  const root: Place = { isObjectRoot, path: "", schemaPath: "", times: 1, hasBefore: true };
  const rules = compileNode(schema, root, found);
  return { rules, ...found };
}

/** What compiling finds besides the rules. */
interface Findings {
  readonly issues: RuleIssue[];
  readonly costs: RuleCost[];
}

/** Where in a schema we are. */
interface Place {
  readonly isObjectRoot: boolean;
  readonly path: string;
  readonly schemaPath: string;
  /** How many values of this place one object can hold. */
  readonly times: number;
  /** Whether a value here can be matched with the one before an update: not below items that nothing tells apart. */
  readonly hasBefore: boolean;
}

function compileNode(schema: StructuralSchema, place: Place, found: Findings): RuleSet | undefined {
  const { path, schemaPath, times, hasBefore } = place;
  const keys = schema["x-kubernetes-list-type"] === "map" ? schema["x-kubernetes-list-map-keys"] : undefined;
  const rules = compileOwn(schema, place, found);
  const below = (name: string): string => (schemaPath === "" ? name : `${schemaPath}.${name}`);
  const properties = new Map<string, RuleSet>();
  for (const [name, child] of Object.entries(schema.properties ?? {})) {
    const at = { path: childPath(path, name), schemaPath: below(`properties[${name}]`) };
    const compiled = compileNode(child, { isObjectRoot: false, ...at, times, hasBefore }, found);
    if (compiled !== undefined) properties.set(name, compiled);
  }
  const { additionalProperties: rest, items: item } = schema;
  const isMatched = hasBefore && (item === undefined || keys !== undefined);
  const inside = (name: string): Place => ({
    isObjectRoot: false,
    path: `${path}[*]`,
    schemaPath: below(name),
    times: times * itemsMax(schema),
    hasBefore: isMatched,
  });
  const additionalProperties =
    rest === undefined ? undefined : compileNode(rest, inside("additionalProperties"), found);
  const items = item === undefined ? undefined : compileNode(item, inside("items"), found);
  if (rules.length === 0 && properties.size === 0 && additionalProperties === undefined && items === undefined) {
    return undefined;
  }
  return { type: schema.type, rules, properties, additionalProperties, items, keys };
}

function compileOwn(schema: StructuralSchema, place: Place, found: Findings): readonly CompiledRule[] {
  const declared = schema["x-kubernetes-validations"] ?? [];
  if (declared.length === 0) return [];
  const { isObjectRoot, path, schemaPath, times, hasBefore } = place;
  const self = celTypeOf(schema, isObjectRoot || schema["x-kubernetes-embedded-resource"] === true);
  const hints = sizeHints(schema);
  return declared.flatMap((rule, index) => {
    const at = (base: string): string => `${base === "" ? "" : `${base}.`}x-kubernetes-validations[${index}]`;
    const report: Report = (kind, part, message) => {
      found.issues.push({ kind, path: `${at(path)}.${part}`, schemaPath: `${at(schemaPath)}.${part}`, message });
    };
    const spend = (max: number): number => found.costs.push({ schemaPath: `${at(schemaPath)}.rule`, max });
    if (self === undefined) {
      report("invalid", "rule", "nothing is known of this value: give it a type");
      return [];
    }
    return compileRule(rule, { self, hints, times, hasBefore }, report, spend);
  });
}

/** Tells of something wrong with a part of a rule. */
type Report = (kind: RuleIssue["kind"], part: "rule" | "messageExpression", message: string) => void;

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
  report: Report,
  spend: (max: number) => void,
): readonly CompiledRule[] {
  const { self, hints, times, hasBefore } = subject;
  const before = rule.optionalOldSelf === true ? optionalType(self) : self;
  const plain = celEnvironment({ variables: { self }, libraries: celLibraries.all }).compile(rule.rule, VALIDATED);
  const both = celEnvironment({ variables: { self, oldSelf: before }, libraries: celLibraries.all });
  // A rule that compiles without the value before does not speak of it.
  const compiled = plain.kind === "program" ? plain : both.compile(rule.rule, VALIDATED);
  if (compiled.kind === "issues") {
    for (const { message, column } of compiled.issues) report("invalid", "rule", `column ${column}: ${message}`);
    return [];
  }
  if (plain.kind === "issues" && !hasBefore) {
    report("invalid", "rule", "oldSelf is not known here: items of this list are not told apart, use .keyedBy()");
    return [];
  }
  const { program } = compiled;
  if (program.type.kind !== "bool" && program.type.kind !== "dyn") {
    report("invalid", "rule", `must evaluate to a bool, not ${formatType(program.type)}`);
    return [];
  }
  spend(program.estimateCost(hints).max * times);
  const expensive = costProblem(program, hints, times);
  if (expensive !== undefined) {
    report("cost", "rule", expensive);
    return [];
  }
  const message = rule.messageExpression === undefined ? undefined : both.compile(rule.messageExpression, VALIDATED);
  if (message?.kind === "issues") {
    report("invalid", "messageExpression", message.issues[0]?.message ?? "cannot be compiled");
    return [];
  }
  if (message !== undefined && !reportMessage(message.program, hints, report)) return [];
  return [{ rule, program, isTransition: plain.kind === "issues", message: message?.program }];
}

/** Whether an expression makes a message. The real server bounds one message, not one for each value. */
function reportMessage(program: CelProgram, hints: SizeHints, report: Report): boolean {
  const { kind } = program.type;
  if (kind !== "string" && kind !== "dyn") {
    report("invalid", "messageExpression", `must evaluate to a string, not ${formatType(program.type)}`);
    return false;
  }
  const expensive = costProblem(program, hints, 1);
  if (expensive !== undefined) report("cost", "messageExpression", expensive);
  return expensive === undefined;
}
