import { containsIp, isCidr, parseCidr } from "@levelset/core/internal";
import { NetworkPolicy } from "@levelset/core";
import type { NetworkPolicyPeer, NetworkPolicyPort, ObjectOf } from "@levelset/core";
import {
  forbiddenField,
  invalidField,
  requiredField,
  unsupportedField,
  AGE_COLUMN,
  tableColumn,
  NAME_COLUMN,
  printer,
  selectorCell,
  builtinResource,
} from "../../resource/index.ts";
import type { KindStrategy, Printer, Resource } from "../../resource/index.ts";
import { cidrErrors, isEmptyString, portErrors, portNumberErrors } from "../field-checks.ts";
import type { FieldErrors } from "../field-checks.ts";
import { selectorErrors } from "../core/selector.ts";
import { unvalidatedField } from "../unvalidated.ts";
import type { Unvalidated } from "../unvalidated.ts";

type Spec = Unvalidated<NonNullable<ObjectOf<typeof NetworkPolicy>["spec"]>>;

type Port = Unvalidated<NetworkPolicyPort>;

type Peer = Unvalidated<NetworkPolicyPeer>;

type IpBlock = NonNullable<Peer["ipBlock"]>;

const PROTOCOLS = ["TCP", "UDP", "SCTP"];

const TYPES = ["Ingress", "Egress"];

/** Strategy of NetworkPolicies: ports, peers and policy types. */
const networkPolicyStrategy: KindStrategy = {
  defaults: (draft) => ({ ...draft, spec: withDefaults(unvalidatedField<Spec>(draft, "spec") ?? {}) }),
  *validate(object) {
    const spec = unvalidatedField<Spec>(object, "spec") ?? {};
    yield* selectorErrors("spec.podSelector", spec.podSelector);
    for (const [index, { ports, from }] of (spec.ingress ?? []).entries()) {
      yield* ruleErrors(`spec.ingress[${index}]`, ports ?? [], "from", from ?? []);
    }
    for (const [index, { ports, to }] of (spec.egress ?? []).entries()) {
      yield* ruleErrors(`spec.egress[${index}]`, ports ?? [], "to", to ?? []);
    }
    const types = spec.policyTypes ?? [];
    if (types.length > TYPES.length) {
      yield invalidField("spec.policyTypes", types, "may not specify more than two policyTypes");
      return;
    }
    for (const [index, type] of types.entries()) {
      if (!TYPES.includes(type)) yield unsupportedField(`spec.policyTypes[${index}]`, type, TYPES);
    }
  },
};

function withDefaults(spec: Spec): Spec {
  const { podSelector = {}, ingress, egress, policyTypes = [] } = spec;
  const implied = (egress ?? []).length === 0 ? ["Ingress"] : ["Ingress", "Egress"];
  const withProtocol = <R extends { readonly ports?: readonly Port[] | undefined }>(rule: R): R =>
    rule.ports === undefined ? rule : { ...rule, ports: rule.ports.map((port) => ({ protocol: "TCP", ...port })) };
  return {
    ...spec,
    podSelector,
    ...(ingress === undefined ? {} : { ingress: ingress.map(withProtocol) }),
    ...(egress === undefined ? {} : { egress: egress.map(withProtocol) }),
    policyTypes: policyTypes.length === 0 ? implied : policyTypes,
  };
}

function* ruleErrors(path: string, ports: readonly Port[], side: "from" | "to", peers: readonly Peer[]): FieldErrors {
  for (const [index, port] of ports.entries()) yield* policyPortErrors(`${path}.ports[${index}]`, port);
  for (const [index, peer] of peers.entries()) yield* peerErrors(`${path}.${side}[${index}]`, peer);
}

function* policyPortErrors(path: string, { protocol, port, endPort }: Port): FieldErrors {
  if (protocol !== undefined && !PROTOCOLS.includes(protocol)) {
    yield unsupportedField(`${path}.protocol`, protocol, PROTOCOLS);
  }
  const at = `${path}.endPort`;
  if (port === undefined) {
    if (endPort !== undefined) yield invalidField(at, endPort, "may not be specified when `port` is not specified");
    return;
  }
  if (typeof port === "string") {
    if (endPort !== undefined) yield invalidField(at, endPort, "may not be specified when `port` is non-numeric");
    yield* portErrors(`${path}.port`, port);
    return;
  }
  yield* portNumberErrors(`${path}.port`, port);
  if (endPort === undefined) return;
  if (endPort < port) yield invalidField(at, port, "must be greater than or equal to `port`");
  yield* portNumberErrors(at, endPort);
}

function* peerErrors(path: string, { podSelector, namespaceSelector, ipBlock }: Peer): FieldErrors {
  if (podSelector !== undefined) yield* selectorErrors(`${path}.podSelector`, podSelector);
  if (namespaceSelector !== undefined) yield* selectorErrors(`${path}.namespaceSelector`, namespaceSelector);
  if (ipBlock !== undefined) yield* blockErrors(`${path}.ipBlock`, ipBlock);
  const isByLabel = podSelector !== undefined || namespaceSelector !== undefined;
  if (!isByLabel && ipBlock === undefined) yield requiredField(path, "must specify a peer");
  if (isByLabel && ipBlock !== undefined) yield forbiddenField(path, "may not specify both ipBlock and another peer");
}

function* blockErrors(path: string, { cidr, except = [] }: IpBlock): FieldErrors {
  if (isEmptyString(cidr)) {
    yield requiredField(`${path}.cidr`);
    return;
  }
  yield* cidrErrors(`${path}.cidr`, cidr);
  if (!isCidr(cidr)) return;
  const whole = parseCidr(cidr);
  for (const [index, part] of except.entries()) {
    const at = `${path}.except[${index}]`;
    yield* cidrErrors(at, part);
    if (!isCidr(part)) continue;
    const inner = parseCidr(part);
    if (!containsIp(whole, inner.ip) || whole.prefixLength >= inner.prefixLength) {
      yield invalidField(at, part, "must be a strict subset of `cidr`");
    }
  }
}

const networkPolicyPrinter: Printer = printer<typeof NetworkPolicy>(
  [NAME_COLUMN, tableColumn("Pod-Selector", "Selector of the pods."), AGE_COLUMN],
  (policy) => [selectorCell(policy.spec?.podSelector)],
);

/** NetworkPolicies. */
export const networkPolicyResource: Resource = builtinResource({
  kind: NetworkPolicy,
  hasGeneration: true,
  strategy: networkPolicyStrategy,
  printer: networkPolicyPrinter,
});
