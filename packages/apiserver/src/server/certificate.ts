import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import type { KeyObject } from "node:crypto";
import { bitString, boolean, explicit, implicit, integer, octetString, oid, sequence, set, time, utf8 } from "./der.ts";

/** A serving certificate, its key, and the authority that clients must trust, all in PEM. */
export interface ServingCertificate {
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

const OID = {
  ecdsaWithSha256: "1.2.840.10045.4.3.2",
  commonName: "2.5.4.3",
  subjectKeyId: "2.5.29.14",
  keyUsage: "2.5.29.15",
  subjectAltName: "2.5.29.17",
  basicConstraints: "2.5.29.19",
  authorityKeyId: "2.5.29.35",
  extendedKeyUsage: "2.5.29.37",
  serverAuth: "1.3.6.1.5.5.7.3.1",
} as const;

const HOUR_MS = 3_600_000;
const YEAR_MS = 365 * 24 * HOUR_MS;

/**
 * Makes an authority for this one server and a certificate for the loopback addresses signed by it. The authority's key is
 * thrown away, so nothing else can ever be signed by what clients were told to trust.
 */
export function servingCertificate(nowMs: number, hosts: readonly string[] = []): ServingCertificate {
  const authority = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const serving = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const authorityId = keyId(authority.publicKey);
  const issuer = "levelset apiserver CA";
  const ca = certificate({
    subject: issuer,
    issuer,
    nowMs,
    publicKey: authority.publicKey,
    signer: authority.privateKey,
    extensions: [
      extension(OID.basicConstraints, true, sequence(boolean(true))),
      // digitalSignature (0), keyCertSign (5), cRLSign (6)
      extension(OID.keyUsage, true, bitString(Uint8Array.of(0b1000_0110), 1)),
      extension(OID.subjectKeyId, false, octetString(authorityId)),
    ],
  });
  const cert = certificate({
    subject: "levelset apiserver",
    issuer,
    nowMs,
    publicKey: serving.publicKey,
    signer: authority.privateKey,
    extensions: [
      extension(OID.basicConstraints, true, sequence()),
      // digitalSignature (0)
      extension(OID.keyUsage, true, bitString(Uint8Array.of(0b1000_0000), 7)),
      extension(OID.extendedKeyUsage, false, sequence(oid(OID.serverAuth))),
      extension(OID.subjectKeyId, false, octetString(keyId(serving.publicKey))),
      extension(OID.authorityKeyId, false, sequence(implicit(0, authorityId))),
      extension(OID.subjectAltName, false, sequence(...alternativeNames(hosts))),
    ],
  });
  return { ca: pem(ca), cert: pem(cert), key: serving.privateKey.export({ type: "pkcs8", format: "pem" }).toString() };
}

/** dNSName is [2], iPAddress is [7]. */
function alternativeNames(hosts: readonly string[]): readonly Uint8Array[] {
  const loopback6 = Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1);
  const more = hosts
    .filter((host) => host !== "127.0.0.1" && host !== "::1" && host !== "localhost")
    .map((host) => {
      const octets = host.split(".").map(Number);
      const isAddress = octets.length === 4 && octets.every((octet) => Number.isInteger(octet));
      return isAddress ? implicit(7, Uint8Array.from(octets)) : implicit(2, Buffer.from(host));
    });
  return [
    implicit(2, Buffer.from("localhost")),
    implicit(7, Uint8Array.of(127, 0, 0, 1)),
    implicit(7, loopback6),
    ...more,
  ];
}

interface CertificateFields {
  readonly subject: string;
  readonly issuer: string;
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
    // An hour of tolerance for clocks that are behind.
    sequence(time(fields.nowMs - HOUR_MS), time(fields.nowMs + YEAR_MS)),
    distinguishedName(fields.subject),
    spki(fields.publicKey),
    explicit(3, sequence(...fields.extensions)),
  );
  return sequence(body, algorithm, bitString(sign("sha256", body, fields.signer)));
}

function distinguishedName(commonName: string): Uint8Array {
  return sequence(set(sequence(oid(OID.commonName), utf8(commonName))));
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
