import { deepEqual, isIp, parseIp } from "@levelset/core";
import type { EndpointSlice, ObjectOf } from "@levelset/core";
import type { ApiObject } from "../../../store/index.ts";
import { duplicateField, invalidField, requiredField, tooManyField, unsupportedField } from "../../field.ts";
import { dnsLabelProblems, dnsSubdomainProblems, labelValueProblems } from "../../names.ts";
import type { KindRules } from "../../rules.ts";
import {
  dnsLabelErrors,
  dnsSubdomainErrors,
  endpointIpErrors,
  isBlank,
  PROTOCOLS,
  qualifiedNameErrors,
  textErrors,
} from "../check.ts";
import type { Errors } from "../check.ts";
import { fieldOf } from "../loose.ts";
import type { Loose } from "../loose.ts";

type Slice = ObjectOf<typeof EndpointSlice>;
type Endpoint = Loose<NonNullable<Slice["endpoints"]>[number]>;
type Hints = NonNullable<Endpoint["hints"]>;
type Port = Loose<NonNullable<Slice["ports"]>[number]>;

const ADDRESS_TYPES = ["FQDN", "IPv4", "IPv6"];
const ENDPOINTS_MAX = 1000;
const ADDRESSES_MAX = 100;
const PORTS_MAX = 20_000;
const HINTS_MAX = 8;

/** EndpointSlices: addresses of one type, which stays. */
export const endpointSliceRules: KindRules = {
  defaults: (draft) => ({
    ...draft,
    endpoints: nonEmpty(fieldOf<readonly Endpoint[]>(draft, "endpoints"), (each) => ({ conditions: {}, ...each })),
    ports: nonEmpty(fieldOf<readonly Port[]>(draft, "ports"), (each) => ({ name: "", protocol: "TCP", ...each })),
  }),
  prepareCreate: (object) => withoutTopology(object),
  prepareUpdate: (object, old) => (deepEqual(object["endpoints"], old["endpoints"]) ? object : withoutTopology(object)),
  // Labels count too: consumers find slices by them.
  declaration: ({ apiVersion: _a, kind: _k, metadata, ...fields }) => ({ fields, labels: metadata.labels ?? {} }),
  *validate(object, old) {
    const type = fieldOf<string>(object, "addressType");
    if (isBlank(type)) yield requiredField("addressType");
    else if (!ADDRESS_TYPES.includes(type)) yield unsupportedField("addressType", type, ADDRESS_TYPES);
    yield* portsErrors(fieldOf<readonly Port[]>(object, "ports") ?? []);
    // What was stored by older rules may stay.
    if (old === undefined || !deepEqual(object["endpoints"], old["endpoints"])) {
      yield* endpointsErrors(fieldOf<readonly Endpoint[]>(object, "endpoints") ?? [], type ?? "");
    }
    if (old !== undefined && type !== old["addressType"]) yield invalidField("addressType", type, "field is immutable");
  },
};

/** Empty lists are kept as null. */
function nonEmpty<T>(list: readonly T[] | null | undefined, fill: (item: T) => T): readonly T[] | null {
  return list === undefined || list === null || list.length === 0 ? null : list.map(fill);
}

/** The newer API has fields of its own for what the map said. */
function withoutTopology(object: ApiObject): ApiObject {
  const endpoints = fieldOf<readonly Endpoint[]>(object, "endpoints");
  if (!endpoints?.some((endpoint) => "deprecatedTopology" in endpoint)) return object;
  return {
    ...object,
    endpoints: endpoints.map((endpoint) =>
      Object.fromEntries(Object.entries(endpoint).filter(([name]) => name !== "deprecatedTopology")),
    ),
  };
}

function* portsErrors(ports: readonly Port[]): Errors {
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

function* endpointsErrors(endpoints: readonly Endpoint[], type: string): Errors {
  if (endpoints.length > ENDPOINTS_MAX) {
    yield tooManyField("endpoints", endpoints.length, ENDPOINTS_MAX);
    return;
  }
  for (const [index, endpoint] of endpoints.entries()) yield* endpointErrors(`endpoints[${index}]`, endpoint, type);
}

function* endpointErrors(path: string, endpoint: Endpoint, type: string): Errors {
  const { addresses = [], nodeName, hostname, hints } = endpoint;
  const at = `${path}.addresses`;
  if (addresses.length === 0) yield requiredField(at, "must contain at least 1 address");
  else if (addresses.length > ADDRESSES_MAX) yield tooManyField(at, addresses.length, ADDRESSES_MAX);
  for (const [index, address] of addresses.entries()) yield* addressErrors(at, index, address, type);
  if (nodeName !== undefined) yield* dnsSubdomainErrors(`${path}.nodeName`, nodeName);
  if (hostname !== undefined) yield* dnsLabelErrors(`${path}.hostname`, hostname);
  if (hints !== undefined) yield* hintsErrors(`${path}.hints`, hints);
}

function* addressErrors(path: string, index: number, address: string, type: string): Errors {
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

function* domainErrors(path: string, given: string): Errors {
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

function* hintsErrors(path: string, { forZones = [], forNodes = [] }: Hints): Errors {
  yield* namesErrors(`${path}.forZones`, forZones, labelValueProblems);
  yield* namesErrors(`${path}.forNodes`, forNodes, dnsSubdomainProblems);
}

function* namesErrors(
  path: string,
  hints: readonly { readonly name?: string | undefined }[],
  problems: (name: string) => readonly string[],
): Errors {
  if (hints.length > HINTS_MAX) {
    yield tooManyField(path, hints.length, HINTS_MAX);
    return;
  }
  const seen = new Set<string>();
  for (const [index, { name = "" }] of hints.entries()) {
    const at = `${path}[${index}].name`;
    if (seen.has(name)) yield duplicateField(at, name);
    seen.add(name);
    yield* textErrors(at, name, problems);
  }
}
