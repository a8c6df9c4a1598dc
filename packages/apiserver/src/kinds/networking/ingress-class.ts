import type { ObjectOf } from "@levelset/core";
import { IngressClass } from "@levelset/core";
import {
  forbiddenField,
  invalidField,
  requiredField,
  tooLongField,
  unsupportedField,
  dnsSubdomainProblems,
  pathSegmentProblems,
  AGE_COLUMN,
  tableColumn,
  MARKED_NAME_COLUMN,
  printer,
  NONE_CELL,
  nameWithDefaultMark,
  builtinResource,
} from "../../resource/index.ts";
import type { KindStrategy, Printer, Resource } from "../../resource/index.ts";
import { dnsLabelErrors, dnsSubdomainErrors, isEmptyString, stringErrors } from "../field-checks.ts";
import type { FieldErrors } from "../field-checks.ts";
import { unvalidatedField } from "../unvalidated.ts";
import type { Unvalidated } from "../unvalidated.ts";

type Spec = Unvalidated<NonNullable<ObjectOf<typeof IngressClass>["spec"]>>;

type Parameters = NonNullable<Spec["parameters"]>;

const CONTROLLER_MAX = 250;

const PATH = String.raw`[A-Za-z0-9/\-._~%!$&'()*+,;=:]+`;

const SCOPES = ["Cluster", "Namespace"];

/** Strategy of IngressClasses: the controller is immutable. */
const ingressClassStrategy: KindStrategy = {
  defaults: (draft) => {
    const spec = unvalidatedField<Spec>(draft, "spec") ?? {};
    const { parameters } = spec;
    if (parameters === undefined || parameters.scope !== undefined) return { ...draft, spec };
    return { ...draft, spec: { ...spec, parameters: { ...parameters, scope: "Cluster" } } };
  },
  *validate(object, old) {
    const { controller = "", parameters } = unvalidatedField<Spec>(object, "spec") ?? {};
    const before = old === undefined ? undefined : unvalidatedField<Spec>(old, "spec")?.controller;
    if (old !== undefined && before !== controller) {
      yield invalidField("spec.controller", controller, "field is immutable");
    }
    if (controller.length > CONTROLLER_MAX) yield tooLongField("spec.controller", CONTROLLER_MAX);
    yield* controllerErrors("spec.controller", controller);
    if (parameters !== undefined) yield* parametersErrors("spec.parameters", parameters);
  },
};

function* controllerErrors(path: string, controller: string): FieldErrors {
  if (controller === "") {
    yield requiredField(path);
    return;
  }
  const slash = controller.indexOf("/");
  const [host, rest] = [controller.slice(0, Math.max(slash, 0)), controller.slice(slash + 1)];
  if (host === "" || rest === "") {
    yield invalidField(path, controller, 'must be a domain-prefixed path (such as "acme.io/foo")');
    return;
  }
  for (const problem of dnsSubdomainProblems(host)) yield invalidField(path, host, problem);
  if (new RegExp(`^${PATH}$`, "u").test(rest)) return;
  yield invalidField(path, rest, `Invalid path (regex used for validation is '${PATH}')`);
}

function* parametersErrors(path: string, parameters: Parameters): FieldErrors {
  const { apiGroup, kind, name, scope, namespace } = parameters;
  if (apiGroup !== undefined) yield* dnsSubdomainErrors(`${path}.apiGroup`, apiGroup);
  yield* pathSegmentErrors(`${path}.kind`, kind);
  yield* pathSegmentErrors(`${path}.name`, name);
  if (scope === undefined) yield requiredField(`${path}.scope`);
  else if (!SCOPES.includes(scope)) yield unsupportedField(`${path}.scope`, scope, SCOPES);
  else if (scope === "Cluster") {
    if (namespace !== undefined) yield forbiddenField(`${path}.namespace`, "`parameters.scope` is set to 'Cluster'");
  } else if (namespace === undefined) {
    yield requiredField(`${path}.namespace`, "`parameters.scope` is set to 'Namespace'");
  } else yield* dnsLabelErrors(`${path}.namespace`, namespace);
}

/** Validates a required URL path segment. */
export function* pathSegmentErrors(path: string, text: string | undefined): FieldErrors {
  if (isEmptyString(text)) yield requiredField(path);
  else yield* stringErrors(path, text, pathSegmentProblems);
}

const ingressClassPrinter: Printer = printer<typeof IngressClass>(
  [
    MARKED_NAME_COLUMN,
    tableColumn("Controller", "Controller of ingresses of this class."),
    tableColumn("Parameters", "Parameters of the class."),
    AGE_COLUMN,
  ],
  (ingressClass) => {
    const { metadata, spec } = ingressClass;
    const parameters = spec?.parameters;
    const group = parameters?.apiGroup === undefined ? "" : `.${parameters.apiGroup}`;
    return [
      nameWithDefaultMark(metadata, ["ingressclass.kubernetes.io/is-default-class"]),
      spec?.controller ?? "",
      parameters === undefined ? NONE_CELL : `${parameters.kind}${group}/${parameters.name}`,
    ];
  },
);

/** IngressClasses. */
export const ingressClassResource: Resource = builtinResource({
  kind: IngressClass,
  hasGeneration: true,
  strategy: ingressClassStrategy,
  printer: ingressClassPrinter,
});
