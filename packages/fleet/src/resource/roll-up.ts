/**
 * The two conditions that sum up a resource, as expressions.
 *
 * `Ready` asks whether the latest declaration is reached, `Available` whether the system runs, at whatever generation. Both are what
 * CEL makes of `self`; a kind may bring its own expressions. The defaults below equal the truth tables of the decision record
 * docs/adr/0019-fleet-aggregation.md, which the tests compare them with.
 */
import { CEL_BOOL, CEL_INT, CEL_STRING, celEnvironment, celLibraries, listType, structType } from "@levelset/core";
import type { CelEnvironment, CelType, JsonObject } from "@levelset/core";
import { compileRule } from "./rule.ts";
import type { Rule, RuleType } from "./rule.ts";

/** What an evaluation of one of these expressions may cost. */
const ROLL_UP_COST_LIMIT = 100_000;

/** The expressions of one condition. All see `self` and `generationN`; all but `status` also see what `status` gave. */
export interface RollUpTexts {
  readonly status: string;
  readonly observedGeneration: string;
  readonly reason: string;
  readonly message: string;
}

/** The same, compiled. */
export type RollUp = { readonly [Part in keyof RollUpTexts]: Rule };

/** What the expressions of a kind are called in its declaration. */
export type RollUpName = "ready" | "available";

/** What `status` means for Ready and Available of a kind. */
export type RollUps = { readonly [Name in RollUpName]: RollUp };

/** What is known of one required adapter: its verdict. Generation 0 and no conditions until there is one. */
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

/** What expressions know as `self`. */
export interface RollUpSelf extends JsonObject {
  /** One for each required adapter, by name. */
  readonly items: readonly RollUpItem[];
  readonly generation: number;
  /** The condition as it was; empty texts and generation 0 where there was none. */
  readonly previous: { readonly status: string; readonly observed_generation: number; readonly reason: string };
  readonly deleting: boolean;
  /** How many children there still are. */
  readonly children: number;
}

const isUp = `i.conditions.exists(c, c.type == 'Available' && c.status == 'True')`;
const isFinal = `i.conditions.exists(c, c.type == 'Finalized' && c.status == 'True')`;
const isCurrent = `i.observed_generation == self.generation`;
const isReached = `${isCurrent} && (self.deleting ? ${isFinal} : ${isUp})`;
const allUpTogether = `self.items.all(i, i.observed_generation == self.items[0].observed_generation && ${isUp})`;
const names = (test: string): string => `'[' + self.items.filter(i, ${test}).map(i, i.adapter).join(', ') + ']'`;

/**
 * Ready: every required adapter has reached the current generation, and has finalized it when the resource is being deleted, and no
 * child is left then.
 */
export const READY_TEXTS: RollUpTexts = {
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
 * Available: all required adapters were up at one same generation, and none of them has failed at that generation since. What
 * happens at newer generations does not end it.
 */
export const AVAILABLE_TEXTS: RollUpTexts = {
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
export const ROLL_UP_TEXTS: { readonly [Name in RollUpName]: RollUpTexts } = {
  ready: READY_TEXTS,
  available: AVAILABLE_TEXTS,
};

/** The expressions around a status of one's own: they do not pretend to know why it is what it is. */
export function textsAround(name: RollUpName, status: string): RollUpTexts {
  const { observedGeneration } = ROLL_UP_TEXTS[name];
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
  // As the proposal writes it: ready = available && …
  ready: { self: SELF, generationN: CEL_INT, available: CEL_BOOL },
};

function environmentOf(variables: Readonly<Record<string, CelType>>): CelEnvironment {
  return celEnvironment({ variables, libraries: celLibraries.extensions });
}

const PART_TYPES: { readonly [Part in keyof RollUpTexts]: RuleType } = {
  status: "bool",
  observedGeneration: "int",
  reason: "string",
  message: "string",
};

/** Compiles the expressions of a condition; pushes what is wrong with them and gives undefined if anything is. */
export function compileRollUp(
  kind: string,
  name: RollUpName,
  texts: RollUpTexts,
  problems: string[],
): RollUp | undefined {
  const first = environmentOf(VARIABLES[name]);
  const later = environmentOf({ ...VARIABLES[name], status: CEL_BOOL });
  const compile = (part: keyof RollUpTexts): Rule | undefined => {
    const environment = part === "status" ? first : later;
    const place = `aggregation.${name}.${part === "observedGeneration" ? "observed_generation" : part}`;
    const source = { kind, place, text: texts[part], environment, costLimit: ROLL_UP_COST_LIMIT };
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
