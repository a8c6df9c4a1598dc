import type { Event, NewOf } from "@levelset/core";
import type { ApiObject } from "../../../store/index.ts";
import { invalidField, requiredField } from "../../field-errors.ts";
import { pathSegmentProblems } from "../../name-validation.ts";
import type { KindStrategy } from "../../strategy.ts";
import { isEmptyString, requiredStringErrors, qualifiedNameErrors } from "../field-checks.ts";
import type { FieldErrors } from "../field-checks.ts";
import { unvalidatedField } from "../unvalidated.ts";
import type { Unvalidated } from "../unvalidated.ts";

type Fields = Unvalidated<NewOf<typeof Event>>;

const LENGTHS = { reportingInstance: 128, action: 128, reason: 128, message: 1_024 } as const;

/** Strategy of core Events: namespace of the involved object; events with an eventTime must name the reporter. */
export const eventStrategy: KindStrategy = {
  defaults: (draft) => ({
    ...draft,
    involvedObject: draft["involvedObject"] ?? {},
    source: draft["source"] ?? {},
    firstTimestamp: draft["firstTimestamp"] ?? null,
    lastTimestamp: draft["lastTimestamp"] ?? null,
    eventTime: draft["eventTime"] ?? null,
  }),
  // The kind has no name rule, so only the generic one applies (`BeforeCreate` in
  // k8s.io/apiserver/pkg/registry/rest/create.go, Kubernetes 1.36).
  nameProblems: pathSegmentProblems,
  validate: eventErrors,
};

function* eventErrors(object: ApiObject): FieldErrors {
  const namespace = object.metadata.namespace ?? "";
  const about = unvalidatedField<NonNullable<Fields["involvedObject"]>>(object, "involvedObject")?.namespace ?? "";
  const isTimed = (unvalidatedField<string | null>(object, "eventTime") ?? null) !== null;
  const isHome = isTimed ? ["default", "kube-system"].includes(namespace) : namespace === "default";
  const isMatching = about === "" ? isHome : isTimed || about === namespace;
  if (!isMatching) yield invalidField("involvedObject.namespace", about, "does not match event.namespace");
  if (!isTimed) return;
  const reporter = unvalidatedField<string>(object, "reportingComponent") ?? "";
  yield* requiredStringErrors("reportingComponent", reporter);
  yield* qualifiedNameErrors("reportingComponent", reporter);
  for (const [field, max] of Object.entries(LENGTHS)) {
    const text = unvalidatedField<string>(object, field);
    if (field !== "message" && isEmptyString(text)) yield requiredField(field);
    if ((text ?? "").length > max) yield invalidField(field, "", `can have at most ${max} characters`);
  }
}
