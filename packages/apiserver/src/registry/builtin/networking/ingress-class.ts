import type { IngressClass, ObjectOf } from "@levelset/core";
import { forbiddenField, invalidField, requiredField, tooLongField, unsupportedField } from "../../field.ts";
import { dnsSubdomainProblems, pathSegmentProblems } from "../../names.ts";
import type { KindRules } from "../../rules.ts";
import { dnsLabelErrors, dnsSubdomainErrors, isBlank, textErrors } from "../check.ts";
import type { Errors } from "../check.ts";
import { fieldOf } from "../loose.ts";
import type { Loose } from "../loose.ts";

type Spec = Loose<NonNullable<ObjectOf<typeof IngressClass>["spec"]>>;
type Parameters = NonNullable<Spec["parameters"]>;

const CONTROLLER_MAX = 250;
const PATH = String.raw`[A-Za-z0-9/\-._~%!$&'()*+,;=:]+`;
const SCOPES = ["Cluster", "Namespace"];

/** IngressClasses: a controller that stays, and where its parameters are. */
export const ingressClassRules: KindRules = {
  defaults: (draft) => {
    const spec = fieldOf<Spec>(draft, "spec") ?? {};
    const { parameters } = spec;
    if (parameters === undefined || parameters.scope !== undefined) return { ...draft, spec };
    return { ...draft, spec: { ...spec, parameters: { ...parameters, scope: "Cluster" } } };
  },
  *validate(object, old) {
    const { controller = "", parameters } = fieldOf<Spec>(object, "spec") ?? {};
    const before = old === undefined ? undefined : fieldOf<Spec>(old, "spec")?.controller;
    if (old !== undefined && before !== controller) {
      yield invalidField("spec.controller", controller, "field is immutable");
    }
    if (controller.length > CONTROLLER_MAX) yield tooLongField("spec.controller", CONTROLLER_MAX);
    yield* controllerErrors("spec.controller", controller);
    if (parameters !== undefined) yield* parametersErrors("spec.parameters", parameters);
  },
};

function* controllerErrors(path: string, controller: string): Errors {
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

function* parametersErrors(path: string, parameters: Parameters): Errors {
  const { apiGroup, kind, name, scope, namespace } = parameters;
  if (apiGroup !== undefined) yield* dnsSubdomainErrors(`${path}.apiGroup`, apiGroup);
  yield* segmentErrors(`${path}.kind`, kind);
  yield* segmentErrors(`${path}.name`, name);
  if (scope === undefined) yield requiredField(`${path}.scope`);
  else if (!SCOPES.includes(scope)) yield unsupportedField(`${path}.scope`, scope, SCOPES);
  else if (scope === "Cluster") {
    if (namespace !== undefined) yield forbiddenField(`${path}.namespace`, "`parameters.scope` is set to 'Cluster'");
  } else if (namespace === undefined) {
    yield requiredField(`${path}.namespace`, "`parameters.scope` is set to 'Namespace'");
  } else yield* dnsLabelErrors(`${path}.namespace`, namespace);
}

/** A text that is there and may stand in a path. */
export function* segmentErrors(path: string, text: string | undefined): Errors {
  if (isBlank(text)) yield requiredField(path);
  else yield* textErrors(path, text, pathSegmentProblems);
}
