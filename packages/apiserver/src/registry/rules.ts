import type { FieldError } from "@levelset/core";
import type { ApiObject } from "../store/index.ts";
import type { Crd } from "./resource.ts";

/** What a rule may know besides the object. */
export interface RuleContext {
  /** Now, as Kubernetes writes it. */
  readonly now: string;
  /** The declared kinds, for rules about names that must not be taken twice. */
  readonly crds: readonly Crd[];
}

/** What is particular to one built-in kind. Every function is pure. */
export interface KindRules {
  /** Fills in what the server decides about a new object. */
  prepareCreate?(object: ApiObject, context: RuleContext): ApiObject;
  /** The same for a change of anything but status. */
  prepareUpdate?(object: ApiObject, old: ApiObject, context: RuleContext): ApiObject;
  /** Checks beyond the schema; `old` is absent on create. */
  validate?(object: ApiObject, old: ApiObject | undefined): readonly FieldError[];
  /** How its objects may be named; default: a DNS subdomain. */
  nameProblems?(name: string): readonly string[];
}
