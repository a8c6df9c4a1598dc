import type { ObjectIn, ObjectSchema } from "../../schema/index.ts";
import {
  builtIn,
  s,
  requiredString,
  int32,
  intOrString,
  optional,
  protocol,
  optionalStrings,
} from "../field-builders.ts";
import { labelSelector } from "../meta.ts";

const networkPolicyPeerFields = {
  podSelector: optional(labelSelector, "Selects pods, in the policy's namespace unless namespaceSelector is set."),
  namespaceSelector: optional(labelSelector, "Namespaces by label."),
  ipBlock: optional(
    s.object({ cidr: requiredString("The network."), except: optionalStrings("Excluded networks.") }),
    "A network (IP block).",
  ),
};

/** Peer of a connection. */
export interface NetworkPolicyPeer extends ObjectIn<typeof networkPolicyPeerFields> {}

/** The schema of `NetworkPolicyPeer`. */
const networkPolicyPeer: ObjectSchema<NetworkPolicyPeer, NetworkPolicyPeer> = s.object(networkPolicyPeerFields);

const networkPolicyPortFields = {
  port: intOrString("Number or name; defaults to all ports."),
  endPort: int32("Last number of a range."),
  protocol: optional(protocol, "Defaults to TCP."),
};

/** Ports of a connection. */
export interface NetworkPolicyPort extends ObjectIn<typeof networkPolicyPortFields> {}

/** The schema of `NetworkPolicyPort`. */
const networkPolicyPort: ObjectSchema<NetworkPolicyPort, NetworkPolicyPort> = s.object(networkPolicyPortFields);

/** Allowed connections of pods; all others are denied. */
export const NetworkPolicy = builtIn({
  group: "networking.k8s.io",
  version: "v1",
  kind: "NetworkPolicy",
  description: "Allowed connections of pods; all others are denied.",
  shortNames: ["netpol"],
  fields: {
    spec: optional(
      s.object({
        podSelector: optional(labelSelector, "The pods it is about; all of the namespace when empty."),
        policyTypes: optional(s.array(s.enum("Ingress", "Egress")).atomic(), "Directions that the policy restricts."),
        ingress: optional(
          s
            .array(
              s.object({
                from: optional(s.array(networkPolicyPeer).atomic(), "Allowed sources; defaults to all."),
                ports: optional(s.array(networkPolicyPort).atomic(), "Ports they may come to; defaults to all."),
              }),
            )
            .atomic(),
          "Connections that may come in.",
        ),
        egress: optional(
          s
            .array(
              s.object({
                to: optional(s.array(networkPolicyPeer).atomic(), "Allowed destinations; defaults to all."),
                ports: optional(s.array(networkPolicyPort).atomic(), "Ports they may go to; defaults to all."),
              }),
            )
            .atomic(),
          "Connections that may go out.",
        ),
      }),
      "The pods, and their connections.",
    ),
  },
});
