import type { PodTemplateSpec } from "@levelset/core";
import type { KindStrategy } from "../../strategy.ts";
import { unvalidatedField } from "../unvalidated.ts";
import { templateDefaults } from "../pod/defaults.ts";
import { templateErrors } from "../pod/template.ts";

/** Strategy of PodTemplates. */
export const podTemplateStrategy: KindStrategy = {
  defaults: (draft) => ({ ...draft, template: templateDefaults(unvalidatedField<PodTemplateSpec>(draft, "template")) }),
  validate: (object) => templateErrors("template", unvalidatedField<PodTemplateSpec>(object, "template") ?? {}),
};
