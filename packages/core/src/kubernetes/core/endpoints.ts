import type { ObjectIn, ObjectSchema } from "../../schema/index.ts";
import { builtIn, s, requiredString, optional, protocol, optionalString } from "../field-builders.ts";
import { objectReference } from "./reference.ts";

const endpointAddressFields = {
  ip: requiredString("The address."),
  hostname: optionalString("Host name of the endpoint."),
  nodeName: optionalString("The node it is on."),
  targetRef: optional(objectReference, "Pod of the endpoint."),
};

/** One address of a service. */
export interface EndpointAddress extends ObjectIn<typeof endpointAddressFields> {}

/** The schema of `EndpointAddress`. */
const endpointAddress: ObjectSchema<EndpointAddress, EndpointAddress> = s.object(endpointAddressFields).atomic();

/** Endpoints of a service; superseded by EndpointSlice. */
export const Endpoints = builtIn({
  group: "",
  version: "v1",
  kind: "Endpoints",
  description: "Endpoints of a service; superseded by EndpointSlice.",
  shortNames: ["ep"],
  plural: "endpoints",
  fields: {
    subsets: optional(
      s
        .array(
          s.object({
            addresses: optional(s.array(endpointAddress).atomic(), "Addresses that are ready."),
            notReadyAddresses: optional(s.array(endpointAddress).atomic(), "Addresses that are not ready."),
            ports: optional(
              s
                .array(
                  s
                    .object({
                      name: optionalString("Name of the service's port."),
                      port: s.int32().describe("Number of the port."),
                      protocol: optional(protocol, "Its protocol."),
                      appProtocol: optionalString("Application protocol."),
                    })
                    .atomic(),
                )
                .atomic(),
              "Ports of each address.",
            ),
          }),
        )
        .atomic(),
      "Addresses with the same ports.",
    ),
  },
});
