import type { AnyCustomKind, Kind, KubeObject, ObjectKey, ObjectOf } from "@levelset/core";
import type { Followed, FollowRule } from "./follow-rule.ts";
import type { LabelQuery } from "./label-query.ts";

/** Reads from the local copies of the kinds that the steps declare. Nothing here asks the server, and nothing is older than our own writes. */
export interface Reader<Own extends AnyCustomKind = AnyCustomKind> {
  /** The object, frozen; undefined when there is none. */
  get<K extends Kind>(kind: K, key: ObjectKey): ObjectOf<K> | undefined;
  /** The objects of a kind whose controller is `owner`, this very incarnation of it. */
  owned<K extends Kind>(kind: K, owner: KubeObject): readonly ObjectOf<K>[];
  /** The objects that these labels select, in a namespace or, for cluster-scoped kinds, anywhere. */
  select<K extends Kind>(kind: K, namespace: string | undefined, labels: LabelQuery): readonly ObjectOf<K>[];
  /** Follows these kinds for one of our objects from now on, and no others under the rule. Resolves once it is known which of them can be watched. */
  follow(owner: ObjectKey, rule: FollowRule<Own>, kinds: readonly Kind[]): Promise<Followed>;
}
