import type { PodTemplateSpec } from "@levelset/core";
import { PodTemplate } from "@levelset/core";
import type { KindStrategy, Printer, Resource } from "../../resource/index.ts";
import { unvalidatedField } from "../unvalidated.ts";
import { templateDefaults } from "./pod/defaults.ts";
import { templateErrors } from "./pod/template.ts";
import {
  tableColumn,
  NAME_COLUMN,
  printer,
  containersText,
  labelsText,
  builtinResource,
} from "../../resource/index.ts";

/** Strategy of PodTemplates. */
const podTemplateStrategy: KindStrategy = {
  returnDeletedObject: true,
  defaults: (draft) => ({ ...draft, template: templateDefaults(unvalidatedField<PodTemplateSpec>(draft, "template")) }),
  validate: (object) => templateErrors("template", unvalidatedField<PodTemplateSpec>(object, "template") ?? {}),
};

const podTemplatePrinter: Printer = printer<typeof PodTemplate>(
  [
    NAME_COLUMN,
    tableColumn("Containers", "Names of the containers."),
    tableColumn("Images", "Images of the containers."),
    tableColumn("Pod Labels", "Labels of the pods."),
  ],
  ({ template }) => [...containersText(template?.spec?.containers), labelsText(template?.metadata?.labels)],
);

/** PodTemplates. */
export const podTemplateResource: Resource = builtinResource({
  kind: PodTemplate,
  hasGeneration: true,
  strategy: podTemplateStrategy,
  printer: podTemplatePrinter,
});
