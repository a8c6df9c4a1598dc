import { createHash, timingSafeEqual } from "node:crypto";
import type { TLSSocket } from "node:tls";
import { StatusError } from "@levelset/core";
import type { RequestUser } from "../registry/index.ts";

/** The part of a TLS connection that says whom it is with. */
export type Peer = Pick<TLSSocket, "authorized" | "getPeerCertificate">;

/** What shows who asks. */
export interface Credentials {
  /** The path asked for, without its query. */
  readonly path: string;
  readonly header: (name: string) => string | undefined;
  /** The same for all requests of one connection. */
  readonly peer: Peer;
}

/** Finds out who asks. Throws Unauthorized for credentials that nobody gave out, and for none where some are needed. */
export type Authenticate = (credentials: Credentials) => RequestUser;

/** What an authenticator goes by. */
export interface AuthenticationOptions {
  /** The one token that is known from the start, and whose it is. */
  readonly token: string;
  readonly admin: RequestUser;
  /** The user of another token, such as a service account's; undefined for one that nobody issued. */
  readonly userOfToken: (token: string) => RequestUser | undefined;
}

/** What a connection has shown already. */
interface Seen {
  /** By certificate. */
  readonly user: RequestUser | undefined;
  /** The Authorization header that turned out to be the administrator's. */
  header?: string | undefined;
}

/** Open to everybody: whether the server lives, and what it is. */
const PUBLIC: ReadonlySet<string> = new Set(["/healthz", "/livez", "/readyz", "/version", "/version/"]);
const AUTHENTICATED = "system:authenticated";
const MASTERS = "system:masters";
const ANONYMOUS: RequestUser = { name: "system:anonymous", groups: ["system:unauthenticated"] };

/** Who holds the credentials that a server gives out at its start. */
export const ADMIN: RequestUser = { name: "kubernetes-admin", groups: [MASTERS, AUTHENTICATED] };

/** Knows clients by their certificate, else by their bearer token. */
export function authenticator(options: AuthenticationOptions): Authenticate {
  const expected = digest(options.token);
  const connections = new WeakMap<Peer, Seen>();
  const seenOf = (peer: Peer): Seen => {
    const known = connections.get(peer) ?? { user: certifiedUser(peer) };
    connections.set(peer, known);
    return known;
  };
  const userOf = ({ header, peer }: Credentials): RequestUser | undefined => {
    const seen = seenOf(peer);
    if (seen.user !== undefined) return seen.user;
    const given = header("authorization");
    // Who repeats on a connection what was right before learns nothing from how fast we agree.
    if (given !== undefined && given === seen.header) return options.admin;
    const token = bearerToken(given);
    if (token === undefined) return undefined;
    if (!timingSafeEqual(digest(token), expected)) return options.userOfToken(token);
    seen.header = given;
    return options.admin;
  };
  return (credentials) => {
    const user = userOf(credentials);
    if (user !== undefined) return impersonated(user, credentials.header);
    // A wrong token is refused everywhere, as by the real server: its owner should learn of it.
    const hasToken = bearerToken(credentials.header("authorization")) !== undefined;
    if (!hasToken && PUBLIC.has(credentials.path)) return ANONYMOUS;
    throw new StatusError("Unauthorized", "Unauthorized");
  };
}

/** Undefined for a client without a certificate, or with one of another authority. */
function certifiedUser(peer: Peer): RequestUser | undefined {
  if (!peer.authorized) return undefined;
  // A name is a text or, given several times, a list, which the type does not say.
  const subject: Partial<Record<string, string | readonly string[]>> = { ...peer.getPeerCertificate().subject };
  const [name] = [subject["CN"] ?? []].flat();
  if (name === undefined) return undefined;
  return { name, groups: [...new Set([...[subject["O"] ?? []].flat(), AUTHENTICATED])] };
}

function bearerToken(header: string | undefined): string | undefined {
  return /^Bearer (?<token>\S+)$/iu.exec(header ?? "")?.groups?.["token"];
}

/** Equal lengths, so that the comparison takes the same time whatever was given. */
function digest(token: string): Uint8Array {
  return createHash("sha256").update(token).digest();
}

/** Who may do everything may do it in another's name, as `kubectl --as` asks for. */
function impersonated(user: RequestUser, header: Credentials["header"]): RequestUser {
  const name = header("impersonate-user") ?? "";
  const groups = header("impersonate-group");
  const uid = header("impersonate-uid");
  if (name === "" && groups === undefined && uid === undefined) return user;
  if (!user.groups.includes(MASTERS)) {
    const who = JSON.stringify(user.name);
    throw new StatusError("Forbidden", `users is forbidden: User ${who} cannot impersonate resource "users"`);
  }
  if (name === "") throw new StatusError("BadRequest", "groups and uids are impersonated together with a user only");
  const given = groups === undefined ? [] : groups.split(",").map((group) => group.trim());
  return { name, groups: [...given, AUTHENTICATED], ...(uid === undefined ? {} : { uid }) };
}
