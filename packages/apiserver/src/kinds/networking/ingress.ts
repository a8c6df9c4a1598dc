import { isIp } from "@levelset/core/internal";
import { Ingress } from "@levelset/core";
import type { IngressBackend, ObjectOf } from "@levelset/core";
import type { ApiObject } from "../../store/index.ts";
import {
  invalidField,
  requiredField,
  unsupportedField,
  dnsLabelProblems,
  dnsSubdomainProblems,
  AGE_COLUMN,
  tableColumn,
  NAME_COLUMN,
  printer,
  loadBalancerText,
  NONE_CELL,
  builtinResource,
} from "../../resource/index.ts";
import type { KindStrategy, Printer, Resource } from "../../resource/index.ts";
import {
  dnsSubdomainErrors,
  ipErrors,
  isEmptyString,
  portNameProblems,
  portNumberErrors,
  stringErrors,
} from "../field-checks.ts";
import type { FieldErrors } from "../field-checks.ts";
import { unvalidatedField } from "../unvalidated.ts";
import type { Unvalidated } from "../unvalidated.ts";
import { pathSegmentErrors } from "./ingress-class.ts";

type Spec = Unvalidated<NonNullable<ObjectOf<typeof Ingress>["spec"]>>;

type Status = Unvalidated<NonNullable<ObjectOf<typeof Ingress>["status"]>>;

type Rule = NonNullable<Spec["rules"]>[number];

type HttpPath = NonNullable<NonNullable<Rule["http"]>["paths"]>[number];

type Tls = NonNullable<Spec["tls"]>[number];

type Backend = Unvalidated<IngressBackend>;

const CLASS_ANNOTATION = "kubernetes.io/ingress.class";

const PATH_TYPES = ["Exact", "ImplementationSpecific", "Prefix"];

const WILDCARD = String.raw`\*\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*`;

/** Strategy of Ingresses: hosts, paths and backends. */
const ingressStrategy: KindStrategy = {
  initialStatus: { loadBalancer: {} },
  defaults: (draft) => ({ ...draft, spec: withoutEmptyPaths(unvalidatedField<Spec>(draft, "spec") ?? {}) }),
  *validate(object, old) {
    yield* specErrors(unvalidatedField<Spec>(object, "spec") ?? {});
    if (old === undefined) yield* classErrors(object);
  },
  *validateStatusUpdate(object) {
    const { loadBalancer } = unvalidatedField<Status>(object, "status") ?? {};
    for (const [index, { ip, hostname }] of (loadBalancer?.ingress ?? []).entries()) {
      const path = `status.loadBalancer.ingress[${index}]`;
      if (!isEmptyString(ip)) yield* ipErrors(`${path}.ip`, ip);
      if (!isEmptyString(hostname)) {
        yield* dnsSubdomainErrors(`${path}.hostname`, hostname);
        if (isIp(hostname)) {
          yield invalidField(`${path}.hostname`, hostname, "must be a DNS name, not an IP address");
        }
      }
    }
  },
};

/** Drops empty paths. */
function withoutEmptyPaths(spec: Spec): Spec {
  const { rules } = spec;
  if (rules === undefined) return spec;
  const cleaned = rules.map((rule) => {
    if (rule.http?.paths === undefined) return rule;
    const paths = rule.http.paths.map(({ path, ...rest }) => (isEmptyString(path) ? rest : { path, ...rest }));
    return { ...rule, http: { paths } };
  });
  return { ...spec, rules: cleaned };
}

function* classErrors(object: ApiObject): FieldErrors {
  const annotation = object.metadata.annotations?.[CLASS_ANNOTATION];
  const { ingressClassName } = unvalidatedField<Spec>(object, "spec") ?? {};
  if (annotation === undefined || ingressClassName === undefined || annotation === ingressClassName) return;
  const why = "must match `ingressClassName` when both are specified";
  yield invalidField(`annotations.${CLASS_ANNOTATION}`, annotation, why);
}

function* specErrors({ rules = [], defaultBackend, tls = [], ingressClassName }: Spec): FieldErrors {
  if (rules.length === 0 && defaultBackend === undefined) {
    yield invalidField("spec", null, "either `defaultBackend` or `rules` must be specified");
  }
  if (defaultBackend !== undefined) yield* backendErrors("spec.defaultBackend", defaultBackend);
  for (const [index, rule] of rules.entries()) yield* ruleErrors(`spec.rules[${index}]`, rule);
  for (const [index, each] of tls.entries()) yield* tlsErrors(`spec.tls[${index}]`, each);
  if (ingressClassName !== undefined) yield* dnsSubdomainErrors("spec.ingressClassName", ingressClassName);
}

function* tlsErrors(path: string, { hosts = [], secretName }: Tls): FieldErrors {
  for (const [index, host] of hosts.entries()) yield* stringErrors(`${path}.hosts[${index}]`, host, hostProblems);
  if (!isEmptyString(secretName)) yield* dnsSubdomainErrors(`${path}.secretName`, secretName);
}

function hostProblems(host: string): readonly string[] {
  if (!host.includes("*")) return dnsSubdomainProblems(host);
  const problems = host.length > 253 ? ["must be no more than 253 characters"] : [];
  if (new RegExp(`^${WILDCARD}$`, "u").test(host)) return problems;
  return [
    ...problems,
    "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case " +
      "alphanumeric characters, '-' or '.' and end with an alphanumeric character (e.g. '*.example.com', regex used for " +
      `validation is '${WILDCARD}')`,
  ];
}

function* ruleErrors(path: string, { host, http }: Rule): FieldErrors {
  if (!isEmptyString(host)) {
    if (isIp(host)) yield invalidField(`${path}.host`, host, "must be a DNS name, not an IP address");
    yield* stringErrors(`${path}.host`, host, hostProblems);
  }
  if (http === undefined) return;
  const { paths = [] } = http;
  if (paths.length === 0) yield requiredField(`${path}.http.paths`);
  for (const [index, each] of paths.entries()) yield* pathErrors(`${path}.http.paths[${index}]`, each);
}

function* pathErrors(path: string, { path: given = "", pathType, backend }: HttpPath): FieldErrors {
  if (pathType === undefined) {
    yield requiredField(`${path}.pathType`, "pathType must be specified");
    return;
  }
  const at = `${path}.path`;
  const isStrict = pathType === "Exact" || pathType === "Prefix";
  if (!PATH_TYPES.includes(pathType)) yield unsupportedField(`${path}.pathType`, pathType, PATH_TYPES);
  else if (!given.startsWith("/") && (isStrict || given !== "")) {
    yield invalidField(at, given, "must be an absolute path");
  }
  if (isStrict) {
    for (const text of ["//", "/./", "/../", "%2f", "%2F"]) {
      if (given.includes(text)) yield invalidField(at, given, `must not contain '${text}'`);
    }
    for (const end of ["/..", "/."]) {
      if (given.endsWith(end)) yield invalidField(at, given, `cannot end with '${end}'`);
    }
  }
  yield* backendErrors(`${path}.backend`, backend ?? {});
}

function* backendErrors(path: string, { resource, service }: Backend): FieldErrors {
  if (resource !== undefined && service !== undefined) {
    yield invalidField(path, "", "cannot set both resource and service backends");
  } else if (resource !== undefined) {
    if (resource.apiGroup !== undefined) yield* dnsSubdomainErrors(`${path}.resource.apiGroup`, resource.apiGroup);
    yield* pathSegmentErrors(`${path}.resource.kind`, resource.kind);
    yield* pathSegmentErrors(`${path}.resource.name`, resource.name);
  } else if (service === undefined) yield invalidField(path, "", "resource or service backend is required");
  else yield* serviceErrors(path, service);
}

function* serviceErrors(path: string, { name, port }: NonNullable<Backend["service"]>): FieldErrors {
  if (isEmptyString(name)) yield requiredField(`${path}.service.name`);
  else yield* stringErrors(`${path}.service.name`, name, dnsLabelProblems);
  const { name: portName, number = 0 } = port ?? {};
  if (!isEmptyString(portName) && number !== 0) {
    yield invalidField(path, "", "cannot set both port name & port number");
  } else if (!isEmptyString(portName)) yield* stringErrors(`${path}.service.port.name`, portName, portNameProblems);
  else if (number === 0) yield requiredField(path, "port name or number is required");
  else yield* portNumberErrors(`${path}.service.port.number`, number);
}

const SHOWN_HOSTS = 3;

const ingressPrinter: Printer = printer<typeof Ingress>(
  [
    NAME_COLUMN,
    tableColumn("Class", "Ingress class."),
    tableColumn("Hosts", "Hosts of the rules."),
    tableColumn("Address", "Addresses of the load balancer."),
    tableColumn("Ports", "Ports."),
    AGE_COLUMN,
  ],
  (ingress) => {
    const { spec, status } = ingress;
    return [
      spec?.ingressClassName ?? NONE_CELL,
      hostsText(ingress),
      loadBalancerText(status?.loadBalancer),
      (spec?.tls ?? []).length === 0 ? "80" : "80, 443",
    ];
  },
);

/** Rules without a host are skipped but counted, as in `pkg/printers/internalversion/printers.go` (Kubernetes 1.36). */
function hostsText({ spec }: ObjectOf<typeof Ingress>): string {
  const rules = spec?.rules ?? [];
  const hosts = rules.map(({ host = "" }) => host);
  const shown = hosts.filter((host) => host !== "").slice(0, SHOWN_HOSTS);
  if (shown.length === 0) return "*";
  const last = hosts.indexOf(shown.at(-1) ?? "", shown.length - 1);
  const isCut = shown.length === SHOWN_HOSTS && last < rules.length - 1;
  return isCut ? `${shown.join(",")} + ${rules.length - SHOWN_HOSTS} more...` : shown.join(",");
}

/** Ingresses. */
export const ingressResource: Resource = builtinResource({
  kind: Ingress,
  hasGeneration: true,
  strategy: ingressStrategy,
  printer: ingressPrinter,
});
