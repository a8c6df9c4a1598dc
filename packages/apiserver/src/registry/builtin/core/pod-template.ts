import type { PodTemplateSpec } from "@levelset/core";
import type { KindRules } from "../../rules.ts";
import { fieldOf } from "../loose.ts";
import { templateDefaults } from "../pod/defaults.ts";
import { templateErrors } from "../pod/template.ts";

/** PodTemplates: a template, by itself. */
export const podTemplateRules: KindRules = {
  defaults: (draft) => ({ ...draft, template: templateDefaults(fieldOf<PodTemplateSpec>(draft, "template")) }),
  validate: (object) => templateErrors("template", fieldOf<PodTemplateSpec>(object, "template") ?? {}),
};
