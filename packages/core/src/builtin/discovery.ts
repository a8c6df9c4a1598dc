import { builtIn, flag, given, int32, optional, protocol, s, text, textMap } from "./field.ts";
import { objectReference } from "./reference.ts";

/** Some of the endpoints behind a service. */
export const EndpointSlice = builtIn({
  group: "discovery.k8s.io",
  version: "v1",
  kind: "EndpointSlice",
  description: "Some of the endpoints behind a service.",
  fields: {
    addressType: s.enum("IPv4", "IPv6", "FQDN").describe("What the addresses are; cannot be changed."),
    endpoints: s
      .array(
        s.object({
          addresses: s.array(s.string()).set().describe("Its addresses; they lead to the same place."),
          conditions: optional(
            s.object({
              ready: flag("Whether it takes requests."),
              serving: flag("Whether it answers, going or not."),
              terminating: flag("Whether it is going."),
            }),
            "How it fares.",
          ),
          hostname: text("Its name below the service's."),
          nodeName: text("The node it is on."),
          zone: text("The zone it is in."),
          targetRef: optional(objectReference, "The pod behind it."),
          hints: optional(
            s.object({
              forZones: optional(s.array(s.object({ name: given("The zone.") })).atomic(), "Zones that should use it."),
              forNodes: optional(s.array(s.object({ name: given("The node.") })).atomic(), "Nodes that should use it."),
            }),
            "Who should use it.",
          ),
          deprecatedTopology: textMap("Where it is, in an older form."),
        }),
      )
      .atomic()
      .describe("The endpoints.")
      .nullable(),
    ports: s
      .array(
        s
          .object({
            name: text("Name of the service's port."),
            port: int32("Number of the port; all ports unless given."),
            protocol: optional(protocol, "Its protocol."),
            appProtocol: text("What is spoken on it."),
          })
          .atomic(),
      )
      .atomic()
      .describe("Ports of each endpoint.")
      .nullable()
      .optional(),
  },
});
