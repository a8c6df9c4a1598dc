import { isJsonObject } from "@levelset/core";
import { randomUuid } from "@levelset/core/internal";
import type { Clock, JsonObject, JsonValue, Random } from "@levelset/core";
import type { ApiObject, Store } from "../store/index.ts";
import { verifyJwt, signJwt } from "./jwt.ts";
import type { RequestUser } from "./user.ts";

/** Default audience of tokens: this server. */
export const API_AUDIENCE: string = "https://kubernetes.default.svc.cluster.local";

/**
 * How long a token stays valid after the deletion of its bound object was requested (`pkg/serviceaccount/claims.go`,
 * Kubernetes 1.36).
 */
const LEEWAY_MS = 60_000;

/** Authenticates bearer tokens. */
export interface TokenAuthenticator {
  /** Returns the user of a valid token for one of `audiences`; undefined for any other token. */
  authenticate(token: string, audiences: readonly string[]): TokenAuthentication | undefined;
}

/** An authenticated user and the requested audiences that the token is valid for. */
export interface TokenAuthentication {
  readonly user: RequestUser;
  readonly audiences: readonly string[];
}

/** An object that a token is bound to. The token becomes invalid when the object is deleted. */
export interface BoundObject {
  readonly kind: "Pod" | "Secret" | "Node";
  readonly object: ApiObject;
}

/** Content of a token to issue. */
export interface ServiceAccountTokenSpec {
  readonly account: ApiObject;
  readonly audiences: readonly string[];
  readonly expirationSeconds: number;
  readonly bound: BoundObject | undefined;
  /** The node of a bound pod, for information. */
  readonly node: { readonly name: string; readonly uid?: string } | undefined;
}

/** Options of {@link ServiceAccountTokens}. */
export interface ServiceAccountTokenOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  /** Signing key. Secret: a holder of the key can impersonate any service account. */
  readonly key: Uint8Array;
}

/** Issues and verifies service account tokens. */
export class ServiceAccountTokens implements TokenAuthenticator {
  readonly #options: ServiceAccountTokenOptions;

  constructor(options: ServiceAccountTokenOptions) {
    this.#options = options;
  }

  /** Issues a token that is valid from now on. */
  issue(spec: ServiceAccountTokenSpec): string {
    const { clock, random, key } = this.#options;
    const now = Math.floor(clock.now() / 1000);
    const { name, uid, namespace = "" } = spec.account.metadata;
    const boundName = spec.bound?.kind.toLowerCase();
    const claims: JsonObject = {
      aud: spec.audiences,
      exp: now + spec.expirationSeconds,
      iat: now,
      iss: API_AUDIENCE,
      jti: randomUuid(random),
      "kubernetes.io": {
        namespace,
        ...(spec.node === undefined ? {} : { node: { ...spec.node } }),
        ...(boundName === undefined || spec.bound === undefined ? {} : { [boundName]: reference(spec.bound.object) }),
        serviceaccount: { name, uid },
      },
      nbf: now,
      sub: `system:serviceaccount:${namespace}:${name}`,
    };
    return signJwt(claims, key);
  }

  authenticate(token: string, audiences: readonly string[]): TokenAuthentication | undefined {
    const claims = verifyJwt(token, this.#options.key);
    if (claims === undefined || !this.#isCurrent(claims)) return undefined;
    const meant = textsOf(claims["aud"]).filter((audience) => audiences.includes(audience));
    const facts = claims["kubernetes.io"];
    if (meant.length === 0 || !isJsonObject(facts)) return undefined;
    const namespace = textOf(facts["namespace"]);
    const account = facts["serviceaccount"];
    if (!this.#isThere("serviceaccounts", namespace, account)) return undefined;
    if (!this.#isBoundThere(namespace, facts)) return undefined;
    return { user: userOf(namespace, account, claims, facts), audiences: meant };
  }

  #isCurrent(claims: JsonObject): boolean {
    const now = this.#options.clock.now() / 1000;
    return Number(claims["nbf"]) <= now + LEEWAY_MS / 1000 && now <= Number(claims["exp"]) + LEEWAY_MS / 1000;
  }

  #isBoundThere(namespace: string, facts: JsonObject): boolean {
    if (facts["secret"] !== undefined) return this.#isThere("secrets", namespace, facts["secret"]);
    if (facts["pod"] !== undefined) return this.#isThere("pods", namespace, facts["pod"]);
    return facts["node"] === undefined || this.#isThere("nodes", "", facts["node"]);
  }

  #isThere(resource: string, namespace: string, given: JsonValue | undefined): boolean {
    if (!isJsonObject(given)) return false;
    const found = this.#options.store.get({ resource, namespace, name: textOf(given["name"]) })?.object.metadata;
    if (found === undefined || found.uid !== given["uid"]) return false;
    return (
      found.deletionTimestamp === undefined ||
      Date.parse(found.deletionTimestamp) >= this.#options.clock.now() - LEEWAY_MS
    );
  }
}

function userOf(namespace: string, account: JsonValue | undefined, claims: JsonObject, facts: JsonObject): RequestUser {
  const { name, uid } = namedOf(account);
  const extra: [string, readonly string[]][] = [
    ["authentication.kubernetes.io/credential-id", [`JTI=${textOf(claims["jti"])}`]],
  ];
  for (const kind of ["node", "pod"]) {
    if (facts[kind] === undefined) continue;
    const bound = namedOf(facts[kind]);
    extra.push([`authentication.kubernetes.io/${kind}-name`, [bound.name]]);
    if (bound.uid !== "") extra.push([`authentication.kubernetes.io/${kind}-uid`, [bound.uid]]);
  }
  return {
    name: `system:serviceaccount:${namespace}:${name}`,
    uid,
    groups: ["system:serviceaccounts", `system:serviceaccounts:${namespace}`, "system:authenticated"],
    extra: Object.fromEntries(extra),
  };
}

function reference(object: ApiObject): JsonObject {
  return { name: object.metadata.name, uid: object.metadata.uid };
}

function namedOf(value: JsonValue | undefined): { readonly name: string; readonly uid: string } {
  return isJsonObject(value) ? { name: textOf(value["name"]), uid: textOf(value["uid"]) } : { name: "", uid: "" };
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}

function textsOf(value: JsonValue | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}
