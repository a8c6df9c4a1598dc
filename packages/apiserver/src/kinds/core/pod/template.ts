import type { PodTemplateSpec } from "@levelset/core";
import { forbiddenField, invalidField, unsupportedField, annotationErrors } from "../../../resource/index.ts";
import type { FieldErrors } from "../../field-checks.ts";
import { selectorMatches, labelsErrors } from "../selector.ts";
import type { UnvalidatedSelector } from "../selector.ts";
import type { Unvalidated } from "../../unvalidated.ts";
import { podSpecErrors } from "./pod-spec.ts";

/** Validates a pod template. */
export function* templateErrors(path: string, template: Unvalidated<PodTemplateSpec>): FieldErrors {
  const { spec = {} } = template;
  yield* templateMetadataErrors(path, template);
  yield* podSpecErrors(`${path}.spec`, spec, false);
  if ((spec.ephemeralContainers ?? []).length > 0) {
    yield forbiddenField(`${path}.spec.ephemeralContainers`, "ephemeral containers not allowed in pod template");
  }
}

/**
 * Validates labels and annotations of a template. The field paths lack `metadata`, as in `ValidatePodTemplateSpec`
 * (`pkg/apis/core/validation/validation.go`, Kubernetes 1.36).
 */
export function* templateMetadataErrors(path: string, { metadata }: Unvalidated<PodTemplateSpec>): FieldErrors {
  yield* labelsErrors(`${path}.labels`, metadata?.labels);
  yield* annotationErrors(`${path}.annotations`, metadata?.annotations ?? {});
}

/** Validates that the selector matches the labels of the template. */
export function* selectorMismatchErrors(
  path: string,
  selector: UnvalidatedSelector | undefined,
  template: Unvalidated<PodTemplateSpec>,
): FieldErrors {
  const labels = template.metadata?.labels;
  if (selectorMatches(selector, labels)) return;
  yield invalidField(`${path}.metadata.labels`, labels ?? null, "`selector` does not match template `labels`");
}

/** Validates that restartPolicy is Always and activeDeadlineSeconds is not set. */
export function* alwaysRestartErrors(path: string, template: Unvalidated<PodTemplateSpec>, kind: string): FieldErrors {
  const { restartPolicy, activeDeadlineSeconds } = template.spec ?? {};
  if (restartPolicy !== "Always") yield unsupportedField(`${path}.spec.restartPolicy`, restartPolicy ?? "", ["Always"]);
  if (activeDeadlineSeconds !== undefined) {
    yield forbiddenField(`${path}.spec.activeDeadlineSeconds`, `activeDeadlineSeconds in ${kind} is not Supported`);
  }
}
