import { deepEqual } from "@levelset/core";
import type { EndpointAddress, Endpoints, NewOf } from "@levelset/core";
import { requiredField } from "../../field.ts";
import { dnsSubdomainProblems } from "../../names.ts";
import type { KindRules } from "../../rules.ts";
import {
  choiceErrors,
  dnsLabelErrors,
  endpointIpErrors,
  ipErrors,
  isBlank,
  portNumberErrors,
  PROTOCOLS,
  qualifiedNameErrors,
  textErrors,
} from "../check.ts";
import type { Errors } from "../check.ts";
import { fieldOf } from "../loose.ts";
import type { Loose } from "../loose.ts";

type Subsets = NonNullable<NewOf<typeof Endpoints>["subsets"]>;
type Port = NonNullable<Loose<Subsets>[number]["ports"]>[number];

/** Endpoints: addresses that traffic can be sent to, and their ports. */
export const endpointsRules: KindRules = {
  defaults: (draft) => {
    const subsets = fieldOf<Subsets>(draft, "subsets");
    if (subsets === undefined) return draft;
    const filled = subsets.map((subset) =>
      subset.ports === undefined
        ? subset
        : { ...subset, ports: subset.ports.map((port) => ({ ...port, protocol: port.protocol ?? "TCP" })) },
    );
    return { ...draft, subsets: filled };
  },
  validate: function* (object, old) {
    if (old !== undefined && deepEqual(object["subsets"], old["subsets"])) return;
    for (const [index, subset] of (fieldOf<Subsets>(object, "subsets") ?? []).entries()) {
      const at = `subsets[${index}]`;
      const { addresses = [], notReadyAddresses = [], ports = [] } = subset;
      if (addresses.length === 0 && notReadyAddresses.length === 0) {
        yield requiredField(at, "must specify `addresses` or `notReadyAddresses`");
      }
      for (const [n, address] of addresses.entries()) yield* addressErrors(`${at}.addresses[${n}]`, address);
      for (const [n, address] of notReadyAddresses.entries()) {
        yield* addressErrors(`${at}.notReadyAddresses[${n}]`, address);
      }
      for (const [n, port] of ports.entries()) yield* portErrors(`${at}.ports[${n}]`, port, ports.length > 1);
    }
  },
};

function* addressErrors(path: string, address: Loose<EndpointAddress>): Errors {
  const { ip = "", hostname, nodeName } = address;
  yield* ipErrors(`${path}.ip`, ip);
  if (!isBlank(hostname)) yield* dnsLabelErrors(`${path}.hostname`, hostname);
  if (nodeName !== undefined) yield* textErrors(`${path}.nodeName`, nodeName, dnsSubdomainProblems);
  yield* endpointIpErrors(`${path}.ip`, ip);
}

function* portErrors(path: string, port: Port, needsName: boolean): Errors {
  const { name, port: number = 0, protocol, appProtocol } = port;
  if (!isBlank(name)) yield* dnsLabelErrors(`${path}.name`, name);
  else if (needsName) yield requiredField(`${path}.name`);
  yield* portNumberErrors(`${path}.port`, number);
  yield* choiceErrors(`${path}.protocol`, protocol, PROTOCOLS);
  if (appProtocol !== undefined) yield* qualifiedNameErrors(`${path}.appProtocol`, appProtocol);
}
