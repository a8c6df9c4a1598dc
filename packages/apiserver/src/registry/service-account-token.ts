import { isJsonObject, randomUuid } from "@levelset/core";
import type { Clock, JsonObject, JsonValue, Random } from "@levelset/core";
import type { ApiObject, Store } from "../store/index.ts";
import { readJwt, signJwt } from "./jwt.ts";
import type { RequestUser } from "./user.ts";

/** Whom tokens are meant for unless they say otherwise: this server. */
export const API_AUDIENCE: string = "https://kubernetes.default.svc.cluster.local";

/** How long after its deletion an object still vouches for a token. */
const LEEWAY_MS = 60_000;

/** Finds out whose token it is. */
export interface TokenAuthenticator {
  /** The user of a good token that is meant for one of `audiences`; undefined for any other token. */
  authenticate(token: string, audiences: readonly string[]): Authenticated | undefined;
}

/** A user and those of the asked audiences that the token is meant for. */
export interface Authenticated {
  readonly user: RequestUser;
  readonly audiences: readonly string[];
}

/** An object that a token goes with: when it is gone, the token is worth nothing. */
export interface BoundObject {
  readonly kind: "Pod" | "Secret" | "Node";
  readonly object: ApiObject;
}

/** What a token is to say. */
export interface TokenWish {
  readonly account: ApiObject;
  readonly audiences: readonly string[];
  readonly expirationSeconds: number;
  readonly bound: BoundObject | undefined;
  /** The node of a bound pod, for information. */
  readonly node: { readonly name: string; readonly uid?: string } | undefined;
}

/** What the tokens of service accounts need. */
export interface ServiceAccountTokenOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  /** Signs and checks the tokens. Who knows it can be any service account. */
  readonly key: Uint8Array;
}

/** Issues tokens of service accounts, and knows them again. */
export class ServiceAccountTokens implements TokenAuthenticator {
  readonly #options: ServiceAccountTokenOptions;

  constructor(options: ServiceAccountTokenOptions) {
    this.#options = options;
  }

  /** A new token, good from now on. */
  issue(wish: TokenWish): string {
    const { clock, random, key } = this.#options;
    const now = Math.floor(clock.now() / 1000);
    const { name, uid, namespace = "" } = wish.account.metadata;
    const boundName = wish.bound?.kind.toLowerCase();
    const claims: JsonObject = {
      aud: wish.audiences,
      exp: now + wish.expirationSeconds,
      iat: now,
      iss: API_AUDIENCE,
      jti: randomUuid(random),
      "kubernetes.io": {
        namespace,
        ...(wish.node === undefined ? {} : { node: { ...wish.node } }),
        ...(boundName === undefined || wish.bound === undefined ? {} : { [boundName]: reference(wish.bound.object) }),
        serviceaccount: { name, uid },
      },
      nbf: now,
      sub: `system:serviceaccount:${namespace}:${name}`,
    };
    return signJwt(claims, key);
  }

  authenticate(token: string, audiences: readonly string[]): Authenticated | undefined {
    const claims = readJwt(token, this.#options.key);
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
