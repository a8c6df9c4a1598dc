import { deepEqual } from "@levelset/core/internal";
import { Endpoints } from "@levelset/core";
import type { EndpointAddress, NewOf, ObjectOf } from "@levelset/core";
import {
  requiredField,
  dnsSubdomainProblems,
  AGE_COLUMN,
  tableColumn,
  NAME_COLUMN,
  printer,
  truncateList,
  NONE_CELL,
  builtinResource,
} from "../../resource/index.ts";
import type { KindStrategy, Printer, Resource } from "../../resource/index.ts";
import {
  enumErrors,
  dnsLabelErrors,
  endpointIpErrors,
  ipErrors,
  isEmptyString,
  portNumberErrors,
  PROTOCOLS,
  qualifiedNameErrors,
  stringErrors,
} from "../field-checks.ts";
import type { FieldErrors } from "../field-checks.ts";
import { unvalidatedField } from "../unvalidated.ts";
import type { Unvalidated } from "../unvalidated.ts";

type Subsets = NonNullable<NewOf<typeof Endpoints>["subsets"]>;

type Port = NonNullable<Unvalidated<Subsets>[number]["ports"]>[number];

/** Strategy of Endpoints: addresses and ports. */
const endpointsStrategy: KindStrategy = {
  defaults: (draft) => {
    const subsets = unvalidatedField<Subsets>(draft, "subsets");
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
    for (const [index, subset] of (unvalidatedField<Subsets>(object, "subsets") ?? []).entries()) {
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

function* addressErrors(path: string, address: Unvalidated<EndpointAddress>): FieldErrors {
  const { ip = "", hostname, nodeName } = address;
  yield* ipErrors(`${path}.ip`, ip);
  if (!isEmptyString(hostname)) yield* dnsLabelErrors(`${path}.hostname`, hostname);
  if (nodeName !== undefined) yield* stringErrors(`${path}.nodeName`, nodeName, dnsSubdomainProblems);
  yield* endpointIpErrors(`${path}.ip`, ip);
}

function* portErrors(path: string, port: Port, needsName: boolean): FieldErrors {
  const { name, port: number = 0, protocol, appProtocol } = port;
  if (!isEmptyString(name)) yield* dnsLabelErrors(`${path}.name`, name);
  else if (needsName) yield requiredField(`${path}.name`);
  yield* portNumberErrors(`${path}.port`, number);
  yield* enumErrors(`${path}.protocol`, protocol, PROTOCOLS);
  if (appProtocol !== undefined) yield* qualifiedNameErrors(`${path}.appProtocol`, appProtocol);
}

const SHOWN_ENDPOINTS = 3;

const endpointsPrinter: Printer = printer<typeof Endpoints>(
  [NAME_COLUMN, tableColumn("Endpoints", "Addresses of the service."), AGE_COLUMN],
  (endpoints) => [endpointsText(endpoints)],
);

function endpointsText({ subsets }: ObjectOf<typeof Endpoints>): string {
  if ((subsets ?? []).length === 0) return NONE_CELL;
  const reached = (subsets ?? []).flatMap(({ addresses, ports }) => {
    const ips = (addresses ?? []).map(({ ip }) => ip);
    if ((ports ?? []).length === 0) return ips;
    return (ports ?? []).flatMap(({ port }) =>
      ips.map((ip) => (ip.includes(":") ? `[${ip}]:${port}` : `${ip}:${port}`)),
    );
  });
  return truncateList(reached, SHOWN_ENDPOINTS);
}

/** Endpoints. */
export const endpointsResource: Resource = builtinResource({
  kind: Endpoints,
  deprecation: "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice",
  strategy: endpointsStrategy,
  printer: endpointsPrinter,
});
