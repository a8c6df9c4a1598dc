import { celEnvironment, celLibraries, formatType, optionalType } from "../cel/index.ts";
import type { CelProgram, CelType, SizeHints } from "../cel/index.ts";
import { celTypeOf } from "./cel-type.ts";
import { childPath } from "./field-error.ts";
import { costProblem, maxCardinality, sizeHints } from "./rule-cost.ts";
import type { StructuralSchema, ValidationRule } from "./structural.ts";

/** A compiled rule. */
export interface CompiledRule {
  readonly rule: ValidationRule;
  readonly program: CelProgram;
  /** Whether the rule uses oldSelf and applies to updates only. */
  readonly isTransition: boolean;
  /** The compiled messageExpression, if any. */
  readonly message: CelProgram | undefined;
}

/** The rules of a schema as a tree of the same shape. Parts without rules are omitted. */
export interface RuleSet {
  readonly type: StructuralSchema["type"];
  readonly rules: readonly CompiledRule[];
  readonly properties: ReadonlyMap<string, RuleSet>;
  readonly additionalProperties: RuleSet | undefined;
  readonly items: RuleSet | undefined;
  /** The keys of a keyed list; undefined if items cannot be correlated with old ones. */
  readonly keys: readonly string[] | undefined;
}

/** A problem with a rule: it does not compile, is invalid, or is too expensive. */
export interface RuleIssue {
  readonly kind: "invalid" | "cost";
  /** Path of the rule: `spec.listeners[*].x-kubernetes-validations[0].rule`. */
  readonly path: string;
  /**
   * Path of the rule in the schema: `properties[spec].properties[listeners].items.x-kubernetes-validations[0].rule`.
   */
  readonly schemaPath: string;
  readonly message: string;
}

/** Estimated cost of a rule. */
export interface RuleCost {
  /** Path of the rule in the schema. */
  readonly schemaPath: string;
  readonly max: number;
}

/** The result of compiling the rules of a schema. */
export interface CompiledRules {
  /** Undefined if there are no rules. */
  readonly rules: RuleSet | undefined;
  readonly issues: readonly RuleIssue[];
  /** Estimated maximum cost of each rule per object, with the cost model of kube-apiserver. */
  readonly costs: readonly RuleCost[];
}

/** Literal patterns, times and quantities are validated at declaration. */
const VALIDATED = { literals: "validate" } as const;

/** Compiles all rules of a schema. `isObjectRoot`: the schema is that of a whole object with metadata. */
export function compileRules(schema: StructuralSchema, isObjectRoot = false): CompiledRules {
  const found: CompileResult = { issues: [], costs: [] };
  const root: Place = { isObjectRoot, path: "", schemaPath: "", times: 1, hasBefore: true };
  const rules = compileNode(schema, root, found);
  return { rules, ...found };
}

/** Issues and costs collected while compiling. */
interface CompileResult {
  readonly issues: RuleIssue[];
  readonly costs: RuleCost[];
}

/** The current location in a schema. */
interface Place {
  readonly isObjectRoot: boolean;
  readonly path: string;
  readonly schemaPath: string;
  /** Maximum number of values at this location per object. */
  readonly times: number;
  /** Whether a value at this location has an old value on updates. False below lists without keys. */
  readonly hasBefore: boolean;
}

function compileNode(schema: StructuralSchema, place: Place, found: CompileResult): RuleSet | undefined {
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
    times: times * maxCardinality(schema),
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

function compileOwn(schema: StructuralSchema, place: Place, found: CompileResult): readonly CompiledRule[] {
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
      report("invalid", "rule", "the type of this value is unknown: declare a type");
      return [];
    }
    return compileRule(rule, { self, hints, times, hasBefore }, report, spend);
  });
}

/** Reports a problem with a part of a rule. */
type Report = (kind: RuleIssue["kind"], part: "rule" | "messageExpression", message: string) => void;

/** The environment that a rule is compiled in. */
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
  // A rule that compiles without oldSelf does not use it.
  const compiled = plain.kind === "program" ? plain : both.compile(rule.rule, VALIDATED);
  if (compiled.kind === "issues") {
    for (const { message, column } of compiled.issues) report("invalid", "rule", `column ${column}: ${message}`);
    return [];
  }
  if (plain.kind === "issues" && !hasBefore) {
    report("invalid", "rule", "oldSelf is not available here: items of this list have no keys, use .keyedBy()");
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
    report("invalid", "messageExpression", message.issues[0]?.message ?? "does not compile");
    return [];
  }
  if (message !== undefined && !reportMessage(message.program, hints, report)) return [];
  return [{ rule, program, isTransition: plain.kind === "issues", message: message?.program }];
}

/**
 * Compiles a messageExpression. kube-apiserver limits the cost of one evaluation, not of one per value
 * (k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation/validation.go).
 */
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
