import { containsIp, formatIp, isIp, parseCidr, parseIp } from "@levelset/core";
import type { ServiceSpec } from "@levelset/core";
import type { ApiObject } from "../../../store/index.ts";
import type { IsHeld } from "../../held-values.ts";
import { fieldOf } from "../loose.ts";
import type { Loose } from "../loose.ts";

/** Addresses and node ports for services: which are taken, and which is next. */

/** The network that services have their addresses from. */
export const SERVICE_NETWORK = "10.96.0.0/12";

const NETWORK = parseCidr(SERVICE_NETWORK);
const FIRST_ADDRESS = 0x0a_60_00_00;
const ADDRESSES = 2 ** 20;
/** Low addresses are left to those who ask for them, as the real server does. */
const ADDRESSES_RESERVED = 257;

const NODE_PORT_MIN = 30_000;
const NODE_PORT_MAX = 32_767;
const NODE_PORTS_RESERVED = 86;

/** What services hold already. */
export interface Taken {
  hasAddress(address: string): boolean;
  hasNodePort(port: number): boolean;
}

/** What all services but one hold. */
export function takenBesides(uid: string, isHeld: IsHeld): Taken {
  return {
    hasAddress: (address) => isHeld(address, uid),
    hasNodePort: (port) => isHeld(String(port), uid),
  };
}

/** The addresses and node ports of a service, as texts: none is like one of the others. */
export function holdingsOf(service: ApiObject): readonly string[] {
  const spec = fieldOf<ServiceSpec>(service, "spec") ?? {};
  return [...(spec.clusterIPs ?? []), ...nodePortsOf(spec).map(String)];
}

/** The node ports that a service holds, that of its health check included. */
export function nodePortsOf(spec: Loose<ServiceSpec>): readonly number[] {
  const ports = [...(spec.ports ?? []).map(({ nodePort }) => nodePort), spec.healthCheckNodePort];
  return ports.flatMap((port) => (port === undefined || port === 0 ? [] : [port]));
}

/** A free address for a service of this key: the same one each time, unless it is taken. Undefined when there is none left. */
export function freeAddress(key: string, taken: Taken): string | undefined {
  const size = ADDRESSES - ADDRESSES_RESERVED - 1;
  const offset = probe(key, size, (n) => taken.hasAddress(addressAt(ADDRESSES_RESERVED + n)));
  return offset === undefined ? undefined : addressAt(ADDRESSES_RESERVED + offset);
}

function addressAt(offset: number): string {
  const value = FIRST_ADDRESS + offset;
  return [24, 16, 8, 0].map((shift) => (value >>> shift) & 0xff).join(".");
}

/** Why a service cannot have this address; undefined if it can. */
export function addressProblem(address: string, taken: Taken): string | undefined {
  if (!isIp(address) || !containsIp(NETWORK, parseIp(address))) {
    return `the provided IP (${address}) is not in the valid range. The range of valid IPs is ${SERVICE_NETWORK}`;
  }
  return taken.hasAddress(formatIp(parseIp(address))) ? "provided IP is already allocated" : undefined;
}

/** A free node port for a service of this key. Undefined when there is none left. */
export function freeNodePort(key: string, taken: Taken): number | undefined {
  const first = NODE_PORT_MIN + NODE_PORTS_RESERVED;
  const offset = probe(key, NODE_PORT_MAX - first + 1, (n) => taken.hasNodePort(first + n));
  return offset === undefined ? undefined : first + offset;
}

/** Why a service cannot have this node port; undefined if it can. */
export function nodePortProblem(port: number, taken: Taken): string | undefined {
  if (port < NODE_PORT_MIN || port > NODE_PORT_MAX) {
    return `provided port is not in the valid range. The range of valid ports is ${NODE_PORT_MIN}-${NODE_PORT_MAX}`;
  }
  return taken.hasNodePort(port) ? "provided port is already allocated" : undefined;
}

/** The first free place of a ring, from the place that belongs to a key. */
function probe(key: string, size: number, isTaken: (place: number) => boolean): number | undefined {
  const start = hash(key) % size;
  for (let step = 0; step < size; step++) {
    const place = (start + step) % size;
    if (!isTaken(place)) return place;
  }
  return undefined;
}

/** FNV-1a. */
function hash(text: string): number {
  let value = 0x81_1c_9d_c5;
  for (const byte of Buffer.from(text)) value = Math.imul(value ^ byte, 0x01_00_01_93) >>> 0;
  return value;
}
