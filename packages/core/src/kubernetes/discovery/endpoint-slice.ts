import {
  builtIn,
  s,
  optionalBoolean,
  requiredString,
  int32,
  optional,
  protocol,
  optionalString,
  optionalStringMap,
} from "../field-builders.ts";
import { objectReference } from "../core/reference.ts";

/** A slice of the endpoints of a service. */
export const EndpointSlice = builtIn({
  group: "discovery.k8s.io",
  version: "v1",
  kind: "EndpointSlice",
  description: "A slice of the endpoints of a service.",
  fields: {
    addressType: s.enum("IPv4", "IPv6", "FQDN").describe("Type of the addresses; immutable."),
    endpoints: s
      .array(
        s.object({
          addresses: s.array(s.string()).set().describe("Addresses of the endpoint."),
          conditions: optional(
            s.object({
              ready: optionalBoolean("Whether it is ready to serve requests."),
              serving: optionalBoolean("Whether it serves requests, even while terminating."),
              terminating: optionalBoolean("Whether it is terminating."),
            }),
            "Its status.",
          ),
          hostname: optionalString("Host name of the endpoint."),
          nodeName: optionalString("The node it is on."),
          zone: optionalString("The zone it is in."),
          targetRef: optional(objectReference, "Pod of the endpoint."),
          hints: optional(
            s.object({
              forZones: optional(
                s.array(s.object({ name: requiredString("The zone.") })).atomic(),
                "Zones that should use it.",
              ),
              forNodes: optional(
                s.array(s.object({ name: requiredString("The node.") })).atomic(),
                "Nodes that should use it.",
              ),
            }),
            "Hints for topology-aware routing.",
          ),
          deprecatedTopology: optionalStringMap("Topology; deprecated."),
        }),
      )
      .atomic()
      .describe("The endpoints.")
      .nullable(),
    ports: s
      .array(
        s
          .object({
            name: optionalString("Name of the service's port."),
            port: int32("Number of the port; defaults to all ports."),
            protocol: optional(protocol, "Its protocol."),
            appProtocol: optionalString("Application protocol."),
          })
          .atomic(),
      )
      .atomic()
      .describe("Ports of each endpoint.")
      .nullable()
      .optional(),
  },
});
