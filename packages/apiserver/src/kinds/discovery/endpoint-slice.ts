import { deepEqual, isIp, parseIp } from "@levelset/core/internal";
import { EndpointSlice } from "@levelset/core";
import type { ObjectOf } from "@levelset/core";
import type { ApiObject } from "../../store/index.ts";
import {
  duplicateField,
  invalidField,
  requiredField,
  tooManyField,
  unsupportedField,
  dnsLabelProblems,
  dnsSubdomainProblems,
  labelValueProblems,
  AGE_COLUMN,
  tableColumn,
  NAME_COLUMN,
  printer,
  truncateList,
  UNSET_CELL,
  builtinResource,
} from "../../resource/index.ts";
import type { KindStrategy, Printer, Resource } from "../../resource/index.ts";
import {
  dnsLabelErrors,
  dnsSubdomainErrors,
  endpointIpErrors,
  isEmptyString,
  PROTOCOLS,
  qualifiedNameErrors,
  stringErrors,
} from "../field-checks.ts";
import type { FieldErrors } from "../field-checks.ts";
import { unvalidatedField } from "../unvalidated.ts";
import type { Unvalidated } from "../unvalidated.ts";

type Slice = ObjectOf<typeof EndpointSlice>;

type Endpoint = Unvalidated<NonNullable<Slice["endpoints"]>[number]>;

type Hints = NonNullable<Endpoint["hints"]>;

type Port = Unvalidated<NonNullable<Slice["ports"]>[number]>;

const ADDRESS_TYPES = ["FQDN", "IPv4", "IPv6"];

const ENDPOINTS_MAX = 1000;

const ADDRESSES_MAX = 100;

const PORTS_MAX = 20_000;

const HINTS_MAX = 8;

/** Strategy of EndpointSlices: the address type is immutable. */
const endpointSliceStrategy: KindStrategy = {
  defaults: (draft) => ({
    ...draft,
    endpoints: nonEmpty(unvalidatedField<readonly Endpoint[]>(draft, "endpoints"), (each) => ({
      conditions: {},
      ...each,
    })),
    ports: nonEmpty(unvalidatedField<readonly Port[]>(draft, "ports"), (each) => ({
      name: "",
      protocol: "TCP",
      ...each,
    })),
  }),
  prepareForCreate: (object) => withoutTopology(object),
  prepareForUpdate: (object, old) =>
    deepEqual(object["endpoints"], old["endpoints"]) ? object : withoutTopology(object),
  // Label changes increment the generation too (pkg/registry/discovery/endpointslice/strategy.go, Kubernetes 1.36).
  generationFields: ({ apiVersion: _a, kind: _k, metadata, ...fields }) => ({ fields, labels: metadata.labels ?? {} }),
  *validate(object, old) {
    const type = unvalidatedField<string>(object, "addressType");
    if (isEmptyString(type)) yield requiredField("addressType");
    else if (!ADDRESS_TYPES.includes(type)) yield unsupportedField("addressType", type, ADDRESS_TYPES);
    yield* portsErrors(unvalidatedField<readonly Port[]>(object, "ports") ?? []);
    // Unchanged endpoints are not validated again.
    if (old === undefined || !deepEqual(object["endpoints"], old["endpoints"])) {
      yield* endpointsErrors(unvalidatedField<readonly Endpoint[]>(object, "endpoints") ?? [], type ?? "");
    }
    if (old !== undefined && type !== old["addressType"]) yield invalidField("addressType", type, "field is immutable");
  },
};

/** Applies `fill` to each item. Empty lists become null. */
function nonEmpty<T>(list: readonly T[] | null | undefined, fill: (item: T) => T): readonly T[] | null {
  return list === undefined || list === null || list.length === 0 ? null : list.map(fill);
}

/** Drops keys of deprecatedTopology that have dedicated fields in v1. */
function withoutTopology(object: ApiObject): ApiObject {
  const endpoints = unvalidatedField<readonly Endpoint[]>(object, "endpoints");
  if (!endpoints?.some((endpoint) => "deprecatedTopology" in endpoint)) return object;
  return {
    ...object,
    endpoints: endpoints.map((endpoint) =>
      Object.fromEntries(Object.entries(endpoint).filter(([name]) => name !== "deprecatedTopology")),
    ),
  };
}

function* portsErrors(ports: readonly Port[]): FieldErrors {
  if (ports.length > PORTS_MAX) {
    yield tooManyField("ports", ports.length, PORTS_MAX);
    return;
  }
  const names = new Set<string>();
  for (const [index, { name = "", protocol, appProtocol }] of ports.entries()) {
    const path = `ports[${index}]`;
    if (name !== "") yield* dnsLabelErrors(`${path}.name`, name);
    if (names.has(name)) yield duplicateField(`${path}.name`, name);
    names.add(name);
    if (protocol === undefined) yield requiredField(`${path}.protocol`);
    else if (!PROTOCOLS.includes(protocol)) yield unsupportedField(`${path}.protocol`, protocol, PROTOCOLS);
    if (appProtocol !== undefined) yield* qualifiedNameErrors(`${path}.appProtocol`, appProtocol);
  }
}

function* endpointsErrors(endpoints: readonly Endpoint[], type: string): FieldErrors {
  if (endpoints.length > ENDPOINTS_MAX) {
    yield tooManyField("endpoints", endpoints.length, ENDPOINTS_MAX);
    return;
  }
  for (const [index, endpoint] of endpoints.entries()) yield* endpointErrors(`endpoints[${index}]`, endpoint, type);
}

function* endpointErrors(path: string, endpoint: Endpoint, type: string): FieldErrors {
  const { addresses = [], nodeName, hostname, hints } = endpoint;
  const at = `${path}.addresses`;
  if (addresses.length === 0) yield requiredField(at, "must contain at least 1 address");
  else if (addresses.length > ADDRESSES_MAX) yield tooManyField(at, addresses.length, ADDRESSES_MAX);
  for (const [index, address] of addresses.entries()) yield* addressErrors(at, index, address, type);
  if (nodeName !== undefined) yield* dnsSubdomainErrors(`${path}.nodeName`, nodeName);
  if (hostname !== undefined) yield* dnsLabelErrors(`${path}.hostname`, hostname);
  if (hints !== undefined) yield* hintsErrors(`${path}.hints`, hints);
}

function* addressErrors(path: string, index: number, address: string, type: string): FieldErrors {
  const at = `${path}[${index}]`;
  if (type === "FQDN") {
    yield* domainErrors(at, address);
    return;
  }
  if (type !== "IPv4" && type !== "IPv6") return;
  if (!isIp(address)) {
    yield invalidField(at, address, "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)");
    return;
  }
  const family = parseIp(address).family === 4 ? "IPv4" : "IPv6";
  if (family !== type) yield invalidField(path, address, `must be an ${type} address`);
  yield* endpointIpErrors(at, address);
}

function* domainErrors(path: string, given: string): FieldErrors {
  if (given === "") {
    yield requiredField(path);
    return;
  }
  const name = given.endsWith(".") ? given.slice(0, -1) : given;
  const problems = dnsSubdomainProblems(name);
  const labels = name.split(".");
  if (problems.length > 0) yield invalidField(path, name, problems.join(","));
  else if (labels.length < 2) {
    yield invalidField(path, name, "should be a domain with at least two segments separated by dots");
  } else {
    const wrong = labels.find((label) => dnsLabelProblems(label).length > 0);
    if (wrong !== undefined) yield invalidField(path, wrong, dnsLabelProblems(wrong).join(","));
  }
}

function* hintsErrors(path: string, { forZones = [], forNodes = [] }: Hints): FieldErrors {
  yield* namesErrors(`${path}.forZones`, forZones, labelValueProblems);
  yield* namesErrors(`${path}.forNodes`, forNodes, dnsSubdomainProblems);
}

function* namesErrors(
  path: string,
  hints: readonly { readonly name?: string | undefined }[],
  problems: (name: string) => readonly string[],
): FieldErrors {
  if (hints.length > HINTS_MAX) {
    yield tooManyField(path, hints.length, HINTS_MAX);
    return;
  }
  const seen = new Set<string>();
  for (const [index, { name = "" }] of hints.entries()) {
    const at = `${path}[${index}].name`;
    if (seen.has(name)) yield duplicateField(at, name);
    seen.add(name);
    yield* stringErrors(at, name, problems);
  }
}

const SHOWN_MAX = 3;

const endpointSlicePrinter: Printer = printer<typeof EndpointSlice>(
  [
    NAME_COLUMN,
    tableColumn("AddressType", "Type of the addresses."),
    tableColumn("Ports", "Ports of all endpoints."),
    tableColumn("Endpoints", "Addresses of the endpoints."),
    AGE_COLUMN,
  ],
  (slice) => {
    const ports = (slice.ports ?? []).map(({ port, name }) => (port === undefined ? (name ?? "*") : String(port)));
    const addresses = (slice.endpoints ?? []).flatMap((endpoint) => endpoint.addresses);
    return [slice.addressType, shown(ports), shown(addresses)];
  },
);

function shown(list: readonly string[]): string {
  const text = truncateList(list, SHOWN_MAX);
  return text === "" ? UNSET_CELL : text;
}

/** EndpointSlices. */
export const endpointSliceResource: Resource = builtinResource({
  kind: EndpointSlice,
  hasGeneration: true,
  strategy: endpointSliceStrategy,
  printer: endpointSlicePrinter,
});
