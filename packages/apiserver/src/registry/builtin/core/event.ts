import type { Event, NewOf } from "@levelset/core";
import type { ApiObject } from "../../../store/index.ts";
import { invalidField, requiredField } from "../../field.ts";
import { pathSegmentProblems } from "../../names.ts";
import type { KindRules } from "../../rules.ts";
import { isBlank, neededText, qualifiedNameErrors } from "../check.ts";
import type { Errors } from "../check.ts";
import { fieldOf } from "../loose.ts";
import type { Loose } from "../loose.ts";

type Fields = Loose<NewOf<typeof Event>>;

const LENGTHS = { reportingInstance: 128, action: 128, reason: 128, message: 1_024 } as const;

/** Events of the core group: about an object of their own namespace; those with an eventTime say who reports them. */
export const eventRules: KindRules = {
  defaults: (draft) => ({
    ...draft,
    involvedObject: draft["involvedObject"] ?? {},
    source: draft["source"] ?? {},
    firstTimestamp: draft["firstTimestamp"] ?? null,
    lastTimestamp: draft["lastTimestamp"] ?? null,
    eventTime: draft["eventTime"] ?? null,
  }),
  // The kind has no rule of its own; the one for every object remains (`BeforeCreate` in apiserver's `registry/rest/create.go`).
  nameProblems: pathSegmentProblems,
  validate: eventErrors,
};

function* eventErrors(object: ApiObject): Errors {
  const namespace = object.metadata.namespace ?? "";
  const about = fieldOf<NonNullable<Fields["involvedObject"]>>(object, "involvedObject")?.namespace ?? "";
  const isTimed = (fieldOf<string | null>(object, "eventTime") ?? null) !== null;
  const isHome = isTimed ? ["default", "kube-system"].includes(namespace) : namespace === "default";
  const isMatching = about === "" ? isHome : isTimed || about === namespace;
  if (!isMatching) yield invalidField("involvedObject.namespace", about, "does not match event.namespace");
  if (!isTimed) return;
  const reporter = fieldOf<string>(object, "reportingComponent") ?? "";
  yield* neededText("reportingComponent", reporter);
  yield* qualifiedNameErrors("reportingComponent", reporter);
  for (const [field, max] of Object.entries(LENGTHS)) {
    const text = fieldOf<string>(object, field);
    if (field !== "message" && isBlank(text)) yield requiredField(field);
    if ((text ?? "").length > max) yield invalidField(field, "", `can have at most ${max} characters`);
  }
}
