import {
  CidrError,
  IpError,
  containsCidr,
  containsIp,
  formatCidr,
  formatIp,
  isCanonicalIp,
  isCidr,
  isGlobalUnicast,
  isIp,
  isLinkLocalMulticast,
  isLinkLocalUnicast,
  isLoopback,
  isUnspecified,
  maskCidr,
  parseCidr,
  parseIp,
} from "../../net/index.ts";
import type { Cidr, IpAddress } from "../../net/index.ts";
import { stringParam, objectParam, functionOverload, memberOverload } from "../declare/index.ts";
import type { Overload, CelParameter } from "../declare/index.ts";
import { CEL_BOOL, CEL_INT, CEL_STRING, CelObject, celError, opaqueType } from "../value/index.ts";
import type { CelOutcome, CelType } from "../value/index.ts";
import type { CelLibrary } from "./library.ts";

const IP: CelType = opaqueType("net.IP");
const CIDR: CelType = opaqueType("net.CIDR");

/** An IP address. */
class CelIp extends CelObject {
  readonly celType: CelType = IP;
  readonly ip: IpAddress;

  constructor(ip: IpAddress) {
    super();
    this.ip = ip;
  }

  override equals(other: CelObject): boolean {
    return other instanceof CelIp && other.ip.family === this.ip.family && other.ip.value === this.ip.value;
  }

  override toString(): string {
    return formatIp(this.ip);
  }
}

/** A network. */
class CelCidr extends CelObject {
  readonly celType: CelType = CIDR;
  readonly cidr: Cidr;

  constructor(cidr: Cidr) {
    super();
    this.cidr = cidr;
  }

  override equals(other: CelObject): boolean {
    return other instanceof CelCidr && formatCidr(other.cidr) === formatCidr(this.cidr);
  }

  override toString(): string {
    return formatCidr(this.cidr);
  }
}

const anIp: CelParameter<CelIp> = objectParam(IP, (value) => value instanceof CelIp);
const aCidr: CelParameter<CelCidr> = objectParam(CIDR, (value) => value instanceof CelCidr);

/** Converts the exception for an invalid address or network to an error. */
function guarded(make: () => CelOutcome): CelOutcome {
  try {
    return make();
  } catch (error) {
    if (error instanceof IpError || error instanceof CidrError) return celError(error.message);
    throw error;
  }
}

function ipTest(name: string, id: string, call: (ip: IpAddress) => boolean): readonly [string, readonly Overload[]] {
  return [name, [memberOverload(id, { parameters: [anIp], result: CEL_BOOL, call: ({ ip }) => call(ip) })]];
}

const OF_IP: CelLibrary["functions"] = [
  ["family", [memberOverload("ip_family", { parameters: [anIp], result: CEL_INT, call: ({ ip }) => ip.family })]],
  ipTest("isUnspecified", "ip_is_unspecified", isUnspecified),
  ipTest("isLoopback", "ip_is_loopback", isLoopback),
  ipTest("isLinkLocalMulticast", "ip_is_link_local_multicast", isLinkLocalMulticast),
  ipTest("isLinkLocalUnicast", "ip_is_link_local_unicast", isLinkLocalUnicast),
  ipTest("isGlobalUnicast", "ip_is_global_unicast", isGlobalUnicast),
];

const OF_CIDR: CelLibrary["functions"] = [
  [
    "containsIP",
    [
      memberOverload("cidr_contains_ip_ip", {
        parameters: [aCidr, anIp],
        result: CEL_BOOL,
        call: ({ cidr }, { ip }) => containsIp(cidr, ip),
      }),
      memberOverload("cidr_contains_ip_string", {
        parameters: [aCidr, stringParam],
        result: CEL_BOOL,
        cost: "scan",
        call: ({ cidr }, text) => guarded(() => containsIp(cidr, parseIp(text))),
      }),
    ],
  ],
  [
    "containsCIDR",
    [
      memberOverload("cidr_contains_cidr", {
        parameters: [aCidr, aCidr],
        result: CEL_BOOL,
        call: ({ cidr }, other) => containsCidr(cidr, other.cidr),
      }),
      memberOverload("cidr_contains_cidr_string", {
        parameters: [aCidr, stringParam],
        result: CEL_BOOL,
        cost: "scan",
        call: ({ cidr }, text) => guarded(() => containsCidr(cidr, parseCidr(text))),
      }),
    ],
  ],
  [
    "masked",
    [
      memberOverload("cidr_masked", {
        parameters: [aCidr],
        result: CIDR,
        call: ({ cidr }) => new CelCidr(maskCidr(cidr)),
      }),
    ],
  ],
  [
    "prefixLength",
    [
      memberOverload("cidr_prefix_length", {
        parameters: [aCidr],
        result: CEL_INT,
        call: ({ cidr }) => cidr.prefixLength,
      }),
    ],
  ],
];

/** Kubernetes' IP addresses and networks. */
export const NETWORK_LIBRARY: CelLibrary = {
  name: "networks",
  functions: [
    [
      "ip",
      [
        functionOverload("string_to_ip", {
          parameters: [stringParam],
          result: IP,
          cost: "scan",
          call: (text) => guarded(() => new CelIp(parseIp(text))),
        }),
        memberOverload("cidr_ip", { parameters: [aCidr], result: IP, call: ({ cidr }) => new CelIp(cidr.ip) }),
      ],
    ],
    [
      "cidr",
      [
        functionOverload("string_to_cidr", {
          parameters: [stringParam],
          result: CIDR,
          cost: "scan",
          call: (text) => guarded(() => new CelCidr(parseCidr(text))),
        }),
      ],
    ],
    ["isIP", [functionOverload("is_ip", { parameters: [stringParam], result: CEL_BOOL, cost: "scan", call: isIp })]],
    [
      "isCIDR",
      [functionOverload("is_cidr", { parameters: [stringParam], result: CEL_BOOL, cost: "scan", call: isCidr })],
    ],
    [
      "ip.isCanonical",
      [
        functionOverload("ip_is_canonical", {
          parameters: [stringParam],
          result: CEL_BOOL,
          cost: "scan",
          call: (text) => guarded(() => isCanonicalIp(text)),
        }),
      ],
    ],
    [
      "string",
      [
        functionOverload("ip_to_string", { parameters: [anIp], result: CEL_STRING, call: String }),
        functionOverload("cidr_to_string", { parameters: [aCidr], result: CEL_STRING, call: String }),
      ],
    ],
    ...OF_IP,
    ...OF_CIDR,
  ],
};
