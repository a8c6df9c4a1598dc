import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import type { KeyObject, KeyPairKeyObjectResult } from "node:crypto";
import { isIPv4, isIPv6 } from "node:net";
import { bitString, boolean, explicit, implicit, integer, octetString, oid, sequence, set, time, utf8 } from "./der.ts";

/** A serving certificate, its key, and the CA certificate for clients, all in PEM. */
export interface ServingCertificate {
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

const OID = {
  ecdsaWithSha256: "1.2.840.10045.4.3.2",
  commonName: "2.5.4.3",
  organization: "2.5.4.10",
  subjectKeyId: "2.5.29.14",
  keyUsage: "2.5.29.15",
  subjectAltName: "2.5.29.17",
  basicConstraints: "2.5.29.19",
  authorityKeyId: "2.5.29.35",
  extendedKeyUsage: "2.5.29.37",
  serverAuth: "1.3.6.1.5.5.7.3.1",
  clientAuth: "1.3.6.1.5.5.7.3.2",
} as const;

const HOUR_MS = 3_600_000;
const YEAR_MS = 365 * 24 * HOUR_MS;

/** A client certificate and its key, both in PEM. */
export interface ClientCertificate {
  readonly cert: string;
  readonly key: string;
}

/** A certificate authority. Its key never leaves the process. */
class Authority {
  /** CA certificate in PEM. */
  readonly ca: string;
  readonly #name: string;
  readonly #nowMs: number;
  readonly #keys: KeyPairKeyObjectResult = newKeys();
  readonly #id: Uint8Array;

  constructor(name: string, nowMs: number) {
    this.#name = name;
    this.#nowMs = nowMs;
    this.#id = keyId(this.#keys.publicKey);
    const der = this.#signed({ commonName: name, organizations: [] }, this.#keys.publicKey, [
      extension(OID.basicConstraints, true, sequence(boolean(true))),
      // digitalSignature (0), keyCertSign (5), cRLSign (6)
      extension(OID.keyUsage, true, bitString(Uint8Array.of(0b1000_0110), 1)),
      extension(OID.subjectKeyId, false, octetString(this.#id)),
    ]);
    this.ca = pem(der);
  }

  /** Issues a key and a certificate for one extended key usage. */
  issue(subject: Subject, use: string, more: readonly Uint8Array[] = []): ClientCertificate {
    const keys = newKeys();
    const der = this.#signed(subject, keys.publicKey, [
      extension(OID.basicConstraints, true, sequence()),
      // digitalSignature (0)
      extension(OID.keyUsage, true, bitString(Uint8Array.of(0b1000_0000), 7)),
      extension(OID.extendedKeyUsage, false, sequence(oid(use))),
      extension(OID.subjectKeyId, false, octetString(keyId(keys.publicKey))),
      extension(OID.authorityKeyId, false, sequence(implicit(0, this.#id))),
      ...more,
    ]);
    return { cert: pem(der), key: keys.privateKey.export({ type: "pkcs8", format: "pem" }).toString() };
  }

  #signed(subject: Subject, publicKey: KeyObject, extensions: readonly Uint8Array[]): Uint8Array {
    const issuer = { commonName: this.#name, organizations: [] };
    return certificate({ subject, issuer, nowMs: this.#nowMs, publicKey, signer: this.#keys.privateKey, extensions });
  }
}

/**
 * Creates a CA for this server and a certificate for the loopback addresses signed by it. The CA key is discarded, so
 * the CA can never sign another certificate.
 */
export function servingCertificate(nowMs: number, hosts: readonly string[] = []): ServingCertificate {
  const authority = new Authority("levelset apiserver CA", nowMs);
  const subject = { commonName: "levelset apiserver", organizations: [] };
  const names = extension(OID.subjectAltName, false, sequence(...alternativeNames(hosts)));
  return { ca: authority.ca, ...authority.issue(subject, OID.serverAuth, [names]) };
}

/** Issues client certificates for one server: the common name is the user, organizations are the groups. */
export class ClientAuthority {
  readonly #authority: Authority;

  constructor(nowMs: number) {
    this.#authority = new Authority("levelset client CA", nowMs);
  }

  /** CA certificate in PEM, which the server trusts. */
  get ca(): string {
    return this.#authority.ca;
  }

  /** Issues a certificate for a user. */
  issue(user: { readonly name: string; readonly groups: readonly string[] }): ClientCertificate {
    return this.#authority.issue({ commonName: user.name, organizations: user.groups }, OID.clientAuth);
  }
}

function newKeys(): KeyPairKeyObjectResult {
  return generateKeyPairSync("ec", { namedCurve: "P-256" });
}

/** dNSName is [2], iPAddress is [7]. */
function alternativeNames(hosts: readonly string[]): readonly Uint8Array[] {
  return [...new Set(["localhost", "127.0.0.1", "::1", ...hosts])].map((host) => {
    const address = addressBytes(host);
    return address === undefined ? implicit(2, Buffer.from(host)) : implicit(7, address);
  });
}

/** Returns the bytes of an IP address; undefined for a DNS name. */
function addressBytes(host: string): Uint8Array | undefined {
  if (isIPv4(host)) return Uint8Array.from(host.split(".").map(Number));
  if (!isIPv6(host)) return undefined;
  // A URL normalizes addresses: groups of hexadecimal digits, the longest run of zeros as two colons.
  const [head = "", tail] = new URL(`http://[${host}]`).hostname.slice(1, -1).split("::");
  const groupsOf = (text: string): readonly string[] => text.split(":").filter((group) => group !== "");
  const [front, back] = [groupsOf(head), groupsOf(tail ?? "")];
  const zeros = Array.from({ length: 8 - front.length - back.length }, () => "0");
  return Uint8Array.from(
    [...front, ...zeros, ...back].flatMap((group) => {
      const value = Number.parseInt(group, 16);
      return [value >> 8, value & 0xff];
    }),
  );
}

interface Subject {
  readonly commonName: string;
  readonly organizations: readonly string[];
}

interface CertificateFields {
  readonly subject: Subject;
  readonly issuer: Subject;
  readonly nowMs: number;
  readonly publicKey: KeyObject;
  readonly signer: KeyObject;
  readonly extensions: readonly Uint8Array[];
}

function certificate(fields: CertificateFields): Uint8Array {
  const algorithm = sequence(oid(OID.ecdsaWithSha256));
  const version3 = explicit(0, integer(Uint8Array.of(2)));
  const body = sequence(
    version3,
    integer(randomBytes(16)),
    algorithm,
    distinguishedName(fields.issuer),
    // Tolerates clocks that are up to an hour behind.
    sequence(time(fields.nowMs - HOUR_MS), time(fields.nowMs + YEAR_MS)),
    distinguishedName(fields.subject),
    spki(fields.publicKey),
    explicit(3, sequence(...fields.extensions)),
  );
  return sequence(body, algorithm, bitString(sign("sha256", body, fields.signer)));
}

function distinguishedName({ commonName, organizations }: Subject): Uint8Array {
  const part = (id: string, text: string): Uint8Array => set(sequence(oid(id), utf8(text)));
  return sequence(
    ...organizations.map((organization) => part(OID.organization, organization)),
    part(OID.commonName, commonName),
  );
}

function extension(id: string, isCritical: boolean, value: Uint8Array): Uint8Array {
  return sequence(oid(id), ...(isCritical ? [boolean(true)] : []), octetString(value));
}

function spki(key: KeyObject): Uint8Array {
  return key.export({ type: "spki", format: "der" });
}

function keyId(key: KeyObject): Uint8Array {
  return createHash("sha1").update(spki(key)).digest();
}

function pem(der: Uint8Array): string {
  const lines =
    Buffer.from(der)
      .toString("base64")
      .match(/.{1,64}/gu) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`;
}
