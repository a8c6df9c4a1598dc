import type { FieldError } from "@levelset/core";
import type { ApiObject } from "../store/index.ts";
import type { Draft } from "./draft.ts";
import type { NameRule } from "./names.ts";
import type { IsHeld, ValuesOf } from "./held-values.ts";
import type { Crd } from "./resource.ts";

/** What a rule may know besides the object. */
export interface RuleContext {
  /** Now, as Kubernetes writes it. */
  readonly now: string;
  /** The declared kinds, for rules about names that must not be taken twice. */
  readonly crds: readonly Crd[];
  /** The other objects of a built-in kind, by the resource's id: stored ones, and those whose write is under way. */
  others(resource: string): Iterable<ApiObject>;
  /** What objects of a built-in kind hold that only one of them may have, likewise. */
  held(resource: string, valuesOf: ValuesOf): IsHeld;
}

/** What is particular to one built-in kind. Every function is pure. */
export interface KindRules {
  /** Fills in what the values of an object imply. Whatever a writer sends passes through here first, status included. */
  defaults?(draft: Draft): Draft;
  /** The status of an object that nobody has reported on yet. */
  readonly emptyStatus?: Readonly<Record<string, unknown>>;
  /** Whether a new object keeps the status that its creator gave it. */
  readonly keepsStatus?: true;
  /** Fills in what the server decides about a new object. Throws Invalid where that is impossible. */
  prepareCreate?(object: ApiObject, context: RuleContext): ApiObject;
  /** The same for a change of anything but status. */
  prepareUpdate?(object: ApiObject, old: ApiObject, context: RuleContext): ApiObject;
  /** The same for a change of status. */
  prepareStatus?(object: ApiObject, old: ApiObject, context: RuleContext): ApiObject;
  /** Whether a writer of status leaves all of metadata alone. Writers of most kinds may set labels and the like beside it. */
  readonly statusKeepsMetadata?: true;
  /** Checks beyond the schema; `old` is absent on create. */
  validate?(object: ApiObject, old: ApiObject | undefined): Iterable<FieldError>;
  /** Checks a change of status; what it did not change is not its fault. */
  validateStatus?(object: ApiObject, old: ApiObject): Iterable<FieldError>;
  /** What its creator should hear about a new object. */
  warnings?(object: ApiObject): readonly string[];
  /** Whether an update of an object that is not there creates it. */
  readonly createsOnUpdate?: true;
  /** How its objects may be named; default: a DNS subdomain. */
  readonly nameProblems?: NameRule;
  /** What counts as the declaration: a change of it raises the generation. Default: all but type, metadata and status. */
  declaration?(object: ApiObject): unknown;
  /** The seconds that a deleted object stays, given those that were asked for. Default: none. */
  graceSeconds?(object: ApiObject, asked: number | undefined): number;
}
