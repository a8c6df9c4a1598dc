import type { PodTemplateSpec } from "@levelset/core";
import { forbiddenField, invalidField, unsupportedField } from "../../field.ts";
import { annotationErrors } from "../../metadata.ts";
import type { Errors } from "../check.ts";
import { isSelected, labelsErrors } from "../core/selector.ts";
import type { LooseSelector } from "../core/selector.ts";
import type { Loose } from "../loose.ts";
import { podSpecErrors } from "./pod-spec.ts";

/** Everything wrong with a template of pods. */
export function* templateErrors(path: string, template: Loose<PodTemplateSpec>): Errors {
  const { spec = {} } = template;
  yield* templateMetadataErrors(path, template);
  yield* podSpecErrors(`${path}.spec`, spec, false);
  if ((spec.ephemeralContainers ?? []).length > 0) {
    yield forbiddenField(`${path}.spec.ephemeralContainers`, "ephemeral containers not allowed in pod template");
  }
}

/** Labels and annotations of a template, at the paths where the real server thinks them. */
export function* templateMetadataErrors(path: string, { metadata }: Loose<PodTemplateSpec>): Errors {
  yield* labelsErrors(`${path}.labels`, metadata?.labels);
  yield* annotationErrors(`${path}.annotations`, metadata?.annotations ?? {});
}

/** The labels of a template must be among those that its maker selects. */
export function* selectedErrors(
  path: string,
  selector: LooseSelector | undefined,
  template: Loose<PodTemplateSpec>,
): Errors {
  const labels = template.metadata?.labels;
  if (isSelected(selector, labels)) return;
  yield invalidField(`${path}.metadata.labels`, labels ?? null, "`selector` does not match template `labels`");
}

/** Pods that are replaced when they end must always be started again, and have no deadline. */
export function* endlessErrors(path: string, template: Loose<PodTemplateSpec>, kind: string): Errors {
  const { restartPolicy, activeDeadlineSeconds } = template.spec ?? {};
  if (restartPolicy !== "Always") yield unsupportedField(`${path}.spec.restartPolicy`, restartPolicy ?? "", ["Always"]);
  if (activeDeadlineSeconds !== undefined) {
    yield forbiddenField(`${path}.spec.activeDeadlineSeconds`, `activeDeadlineSeconds in ${kind} is not Supported`);
  }
}
