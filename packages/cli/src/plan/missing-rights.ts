import type { Fetch } from "@levelset/core";
import { policyRules } from "@levelset/operator";
import type { ManagedOperator, RbacRules } from "@levelset/operator";
import { allows, needsRule, requestAttributes } from "@levelset/operator/internal";

/** A rule that the requests of operators need. */
interface NeededRule {
  readonly group: string;
  readonly resource: string;
  /** Undefined for the whole cluster, and if the operators have no rules for single namespaces. */
  readonly namespace: string | undefined;
  readonly verbs: Set<string>;
}

/** Collects the rules that operators need and do not declare. The copy allows all requests, and a cluster does not. */
export class MissingRights {
  readonly #declared: RbacRules;
  readonly #needed = new Map<string, NeededRule>();

  /** `namespaces` are those of operators that do not declare their own. */
  constructor(operators: readonly ManagedOperator[], namespaces: readonly string[] | undefined) {
    this.#declared = policyRules(operators, { namespaces });
  }

  /** What is missing, one line for each rule. */
  get messages(): readonly string[] {
    const lines = [...this.#needed.values()].map(({ group, resource, namespace, verbs }) => {
      const rule = `{ apiGroups: ["${group}"], resources: ["${resource}"], verbs: ${JSON.stringify([...verbs].toSorted())} }`;
      const where = namespace === undefined ? "" : ` in namespace ${namespace}`;
      return `sends requests that a cluster refuses, because it does not declare the rule ${rule}${where}: add it with owns, reads or rbac of the step`;
    });
    return lines.toSorted();
  }

  /** Returns a fetch whose requests are checked. */
  checked(fetch: Fetch): Fetch {
    return (request) => {
      this.#check(request);
      return fetch(request);
    };
  }

  #check({ method, url, headers }: Request): void {
    const { pathname: path, search: query } = new URL(url);
    // An impersonated user has its own rights. The lease belongs to the manager, which the plan does not run.
    if (headers.has("impersonate-user") || !/^\/apis?\//u.test(path) || path.includes("/leases")) return;
    if (!needsRule({ method, path, query })) return;
    const access = requestAttributes({ method, path, query });
    if (allows(this.#declared, access)) return;
    const { group, resource } = access;
    const namespace = Object.keys(this.#declared.namespaced).length === 0 ? undefined : access.namespace;
    const id = `${group} ${resource} ${namespace ?? ""}`;
    const needed = this.#needed.get(id) ?? { group, resource, namespace, verbs: new Set() };
    needed.verbs.add(access.verb);
    this.#needed.set(id, needed);
  }
}
