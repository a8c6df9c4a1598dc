/**
 * The summary conditions Ready and Available as CEL expressions.
 *
 * `Ready`: the latest generation is reached. `Available`: the system works, at any generation. Both are evaluated over
 * `self`; a kind may declare its own expressions. The defaults equal the truth tables of
 * docs/adr/0019-fleet-aggregation.md, which the tests verify.
 */
import { CEL_BOOL, CEL_INT, CEL_STRING, celEnvironment, celLibraries, listType, structType } from "@levelset/core/cel";
import type { CelEnvironment, CelType } from "@levelset/core/cel";
import type { JsonObject } from "@levelset/core";
import { compileRule } from "./rule.ts";
import type { Rule, RuleType } from "./rule.ts";

/** Cost limit of one expression. */
const ROLL_UP_COST_LIMIT = 100_000;

/** Expressions of one condition. All see `self` and `generationN`; all but `status` also see the result of `status`. */
export interface RollUpExpressions {
  readonly status: string;
  readonly observedGeneration: string;
  readonly reason: string;
  readonly message: string;
}

/** Compiled expressions of one condition. */
export type RollUp = { readonly [Part in keyof RollUpExpressions]: Rule };

/** Names of the summary conditions in a kind's declaration. */
export type RollUpName = "ready" | "available";

/** Compiled Ready and Available of a kind. */
export type RollUps = { readonly [Name in RollUpName]: RollUp };

/** The verdict of one required adapter. Generation 0 and no conditions while there is none. */
export interface RollUpItem extends JsonObject {
  readonly adapter: string;
  readonly observed_generation: number;
  readonly conditions: readonly {
    readonly type: string;
    readonly status: string;
    readonly reason: string;
    readonly message: string;
  }[];
}

/** The variable `self` of the expressions. */
export interface RollUpSelf extends JsonObject {
  /** One item for each required adapter, by name. */
  readonly items: readonly RollUpItem[];
  readonly generation: number;
  /** The previous condition; empty strings and generation 0 if there was none. */
  readonly previous: { readonly status: string; readonly observed_generation: number; readonly reason: string };
  readonly deleting: boolean;
  /** Number of remaining children. */
  readonly children: number;
}

const isUp = `i.conditions.exists(c, c.type == 'Available' && c.status == 'True')`;
const isFinal = `i.conditions.exists(c, c.type == 'Finalized' && c.status == 'True')`;
const isCurrent = `i.observed_generation == self.generation`;
const isReached = `${isCurrent} && (self.deleting ? ${isFinal} : ${isUp})`;
const allUpTogether = `self.items.all(i, i.observed_generation == self.items[0].observed_generation && ${isUp})`;
const names = (test: string): string => `'[' + self.items.filter(i, ${test}).map(i, i.adapter).join(', ') + ']'`;

/**
 * Default expressions of Ready: true if every required adapter has reached the current generation; during deletion, if
 * every required adapter has finalized it and no child remains.
 */
export const READY_EXPRESSIONS: RollUpExpressions = {
  status: `self.items.all(i, ${isReached}) && (!self.deleting || self.children == 0)`,
  observedGeneration: `self.generation`,
  reason: `status ? 'ReconciledAll'
    : self.items.all(i, ${isReached}) ? 'ReconciledWaitingForChildren' : 'ReconciledMissingAdapters'`,
  message: `status ? 'All required adapters report ' + (self.deleting ? 'Finalized' : 'Available') + '=True at generation ' + string(self.generation)
    : self.items.all(i, ${isReached}) ? 'All required adapters are finalized. Children remaining: ' + string(self.children)
    : 'Required adapters not reporting ' + (self.deleting ? 'Finalized' : 'Available') + '=True: ' + ${names(`!(${isReached})`)}
      + '. Currently reporting: ' + ${names(`i.observed_generation > 0`)}`,
};

/**
 * Default expressions of Available: true if all required adapters were up at the same generation, and none of them has
 * failed at that generation since. Reports for newer generations do not end it.
 */
export const AVAILABLE_EXPRESSIONS: RollUpExpressions = {
  status: `self.items.all(i, i.observed_generation > 0) && (${allUpTogether}
    || self.previous.status == 'True'
      && self.items.all(i, i.observed_generation != self.previous.observed_generation || ${isUp}))`,
  observedGeneration: `!status ? math.greatest(self.items.map(i, i.observed_generation)
      + [self.items.exists(i, i.observed_generation > 0) ? 1 : math.greatest(1, self.previous.observed_generation)])
    : ${allUpTogether} ? self.items[0].observed_generation
    : self.previous.status == 'True' ? self.previous.observed_generation
    : math.greatest(1, math.least(self.items.map(i, i.observed_generation)))`,
  reason: `status ? 'AllAdaptersReconciled'
    : self.items.exists(i, i.observed_generation == 0) ? 'AdaptersMissingReports'
    : self.items.all(i, ${isUp}) ? 'AdaptersNotAtSameGeneration' : 'AdapterReportedNotAvailable'`,
  message: `status ? 'All required adapters reported Available=True for the tracked generation'
    : self.items.exists(i, i.observed_generation == 0) ? 'Required adapters without a report: ' + ${names(`i.observed_generation == 0`)}
    : self.items.all(i, ${isUp}) ? 'Required adapters report Available=True, but at different generations'
    : 'Required adapters reporting Available=False: ' + ${names(`!${isUp}`)}`,
};

/** The default expressions. */
export const ROLL_UP_EXPRESSIONS: { readonly [Name in RollUpName]: RollUpExpressions } = {
  ready: READY_EXPRESSIONS,
  available: AVAILABLE_EXPRESSIONS,
};

/** Expressions for a custom status, with a generic reason and message. */
export function expressionsForStatus(name: RollUpName, status: string): RollUpExpressions {
  const { observedGeneration } = ROLL_UP_EXPRESSIONS[name];
  const title = name === "ready" ? "Ready" : "Available";
  const reason = `status ? '${title}RuleMet' : '${title}RuleNotMet'`;
  const message = `status ? 'The rule of this kind holds' : 'The rule of this kind does not hold. Currently reporting: ' + ${names(`i.observed_generation > 0`)}`;
  return { status, observedGeneration, reason, message };
}

const struct = (name: string, fields: Readonly<Record<string, CelType>>): CelType =>
  structType(name, new Map(Object.entries(fields).map(([field, type]) => [field, { type }])));

const CONDITION = struct("Condition", {
  type: CEL_STRING,
  status: CEL_STRING,
  reason: CEL_STRING,
  message: CEL_STRING,
});
const ITEM = struct("Item", {
  adapter: CEL_STRING,
  observed_generation: CEL_INT,
  conditions: listType(CONDITION),
});
const SELF = struct("Self", {
  items: listType(ITEM),
  generation: CEL_INT,
  previous: struct("Previous", { status: CEL_STRING, observed_generation: CEL_INT, reason: CEL_STRING }),
  deleting: CEL_BOOL,
  children: CEL_INT,
});

const VARIABLES: { readonly [Name in RollUpName]: Readonly<Record<string, CelType>> } = {
  available: { self: SELF, generationN: CEL_INT },
  // The proposal writes: ready = available && …
  ready: { self: SELF, generationN: CEL_INT, available: CEL_BOOL },
};

function environmentOf(variables: Readonly<Record<string, CelType>>): CelEnvironment {
  return celEnvironment({ variables, libraries: celLibraries.extensions });
}

const PART_TYPES: { readonly [Part in keyof RollUpExpressions]: RuleType } = {
  status: "bool",
  observedGeneration: "int",
  reason: "string",
  message: "string",
};

/** Compiles the expressions of a condition. Adds problems and returns undefined if one is invalid. */
export function compileRollUp(
  kind: string,
  name: RollUpName,
  texts: RollUpExpressions,
  problems: string[],
): RollUp | undefined {
  const first = environmentOf(VARIABLES[name]);
  const later = environmentOf({ ...VARIABLES[name], status: CEL_BOOL });
  const compile = (part: keyof RollUpExpressions): Rule | undefined => {
    const environment = part === "status" ? first : later;
    const path = `aggregation.${name}.${part === "observedGeneration" ? "observed_generation" : part}`;
    const source = { kind, path, text: texts[part], environment, costLimit: ROLL_UP_COST_LIMIT };
    const rule = compileRule({ ...source, types: [PART_TYPES[part]] });
    if (typeof rule !== "string") return rule;
    problems.push(rule);
    return undefined;
  };
  const status = compile("status");
  const observedGeneration = compile("observedGeneration");
  const reason = compile("reason");
  const message = compile("message");
  if (status === undefined || observedGeneration === undefined || reason === undefined || message === undefined) {
    return undefined;
  }
  return { status, observedGeneration, reason, message };
}
