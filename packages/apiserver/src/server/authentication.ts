import { createHash, timingSafeEqual } from "node:crypto";
import type { TLSSocket } from "node:tls";
import { StatusError } from "@levelset/core";
import type { RequestUser } from "../auth/index.ts";

/** The part of a TLS socket that identifies the client. */
export type Peer = Pick<TLSSocket, "authorized" | "getPeerCertificate">;

/** Credentials of a request. */
export interface RequestCredentials {
  /** Path of the request without the query. */
  readonly path: string;
  readonly header: (name: string) => string | undefined;
  /** Identical for all requests of one connection. */
  readonly peer: Peer;
}

/**
 * Authenticates a request. Throws Unauthorized for invalid credentials, and for missing ones where they are required.
 */
export type RequestAuthenticator = (credentials: RequestCredentials) => RequestUser;

/** Options of {@link createRequestAuthenticator}. */
export interface AuthenticationOptions {
  /** The static bearer token of the administrator. */
  readonly token: string;
  readonly admin: RequestUser;
  /** Returns the user of another token, such as that of a service account; undefined if the token is invalid. */
  readonly authenticateToken: (token: string) => RequestUser | undefined;
}

/** Cached credentials of a connection. */
interface Seen {
  /** User of the client certificate. */
  readonly user: RequestUser | undefined;
  /** Authorization header that was verified as the administrator's. */
  header?: string | undefined;
}

/** Paths that need no credentials: health and version. */
const PUBLIC: ReadonlySet<string> = new Set(["/healthz", "/livez", "/readyz", "/version", "/version/"]);
const AUTHENTICATED = "system:authenticated";
const MASTERS = "system:masters";
const ANONYMOUS: RequestUser = { name: "system:anonymous", groups: ["system:unauthenticated"] };

/** User of the administrator's token and certificate. */
export const ADMIN_USER: RequestUser = { name: "kubernetes-admin", groups: [MASTERS, AUTHENTICATED] };

/** Returns an authenticator by client certificate, or by bearer token if there is no certificate. */
export function createRequestAuthenticator(options: AuthenticationOptions): RequestAuthenticator {
  const expected = digest(options.token);
  const connections = new WeakMap<Peer, Seen>();
  const seenOf = (peer: Peer): Seen => {
    const known = connections.get(peer) ?? { user: certifiedUser(peer) };
    connections.set(peer, known);
    return known;
  };
  const userOf = ({ header, peer }: RequestCredentials): RequestUser | undefined => {
    const seen = seenOf(peer);
    if (seen.user !== undefined) return seen.user;
    const authorization = header("authorization");
    // A header already verified on this connection may be compared in variable time without leaking information.
    if (authorization !== undefined && authorization === seen.header) return options.admin;
    const token = bearerToken(authorization);
    if (token === undefined) return undefined;
    if (!timingSafeEqual(digest(token), expected)) return options.authenticateToken(token);
    seen.header = authorization;
    return options.admin;
  };
  return (credentials) => {
    const user = userOf(credentials);
    if (user !== undefined) return impersonated(user, credentials.header);
    // An invalid token is rejected on every path, also on public ones.
    const hasToken = bearerToken(credentials.header("authorization")) !== undefined;
    if (!hasToken && PUBLIC.has(credentials.path)) return ANONYMOUS;
    throw new StatusError("Unauthorized", "Unauthorized");
  };
}

/** Returns undefined for a client without a certificate, or with one of another CA. */
function certifiedUser(peer: Peer): RequestUser | undefined {
  if (!peer.authorized) return undefined;
  // A repeated subject attribute is a list, which the type omits.
  const subject: Partial<Record<string, string | readonly string[]>> = { ...peer.getPeerCertificate().subject };
  const [name] = [subject["CN"] ?? []].flat();
  if (name === undefined) return undefined;
  return { name, groups: [...new Set([...[subject["O"] ?? []].flat(), AUTHENTICATED])] };
}

function bearerToken(header: string | undefined): string | undefined {
  return /^Bearer (?<token>\S+)$/iu.exec(header ?? "")?.groups?.["token"];
}

/** Digests have equal lengths, so that the comparison takes constant time. */
function digest(token: string): Uint8Array {
  return createHash("sha256").update(token).digest();
}

/**
 * Returns the impersonated user (`kubectl --as`; docs: User impersonation). Only members of system:masters may
 * impersonate.
 */
function impersonated(user: RequestUser, header: RequestCredentials["header"]): RequestUser {
  const name = header("impersonate-user") ?? "";
  const groups = header("impersonate-group");
  const uid = header("impersonate-uid");
  if (name === "" && groups === undefined && uid === undefined) return user;
  if (!user.groups.includes(MASTERS)) {
    const who = JSON.stringify(user.name);
    throw new StatusError("Forbidden", `users is forbidden: User ${who} cannot impersonate resource "users"`);
  }
  if (name === "")
    throw new StatusError("BadRequest", "Impersonate-Group and Impersonate-Uid require Impersonate-User");
  const groupNames = groups === undefined ? accountGroups(name) : groups.split(",").map((group) => group.trim());
  return { name, groups: [...new Set([...groupNames, AUTHENTICATED])], ...(uid === undefined ? {} : { uid }) };
}

/** Returns the groups of a service account, which are fixed; of other users none. */
function accountGroups(name: string): readonly string[] {
  const namespace = /^system:serviceaccount:(?<namespace>[^:]+):[^:]+$/u.exec(name)?.groups?.["namespace"];
  return namespace === undefined ? [] : ["system:serviceaccounts", `system:serviceaccounts:${namespace}`];
}
