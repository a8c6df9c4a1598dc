import type { ObjectOf } from "@levelset/core";
import {
  AGE_COLUMN,
  builtinResource,
  fieldLabels,
  fieldsAt,
  integerColumn,
  invalidField,
  NAME_COLUMN,
  NAME_FIELDS,
  printer,
  SCALE_SUBRESOURCE,
} from "../resource/index.ts";
import type { Resource } from "../resource/index.ts";
import { nonNegativeErrors } from "./field-checks.ts";
import { Gadget, GadgetTicket } from "./gadget.fixture.ts";
import { unvalidatedField } from "./unvalidated.ts";

type Spec = ObjectOf<typeof Gadget>["spec"];

/** Gadgets: the file that would be `kinds/apps/gadget.ts`. */
export const gadgetResource: Resource = builtinResource({
  kind: Gadget,
  categories: ["all"],
  hasGeneration: true,
  subresources: [SCALE_SUBRESOURCE, { name: "token", body: GadgetTicket, verbs: ["create"] }],
  strategy: {
    defaults: (draft) => ({ ...draft, spec: { size: 1, ...unvalidatedField<Spec>(draft, "spec") } }),
    initialStatus: { phase: "New" },
    *validate(object, old) {
      const spec = unvalidatedField<Spec>(object, "spec") ?? {};
      yield* nonNegativeErrors("spec.size", spec.size);
      if (old !== undefined && spec.color !== unvalidatedField<Spec>(old, "spec")?.color) {
        yield invalidField("spec.color", spec.color, "field is immutable");
      }
    },
    deletionWarning: "gadgets are gone for good",
  },
  printer: printer<typeof Gadget>([NAME_COLUMN, integerColumn("Size", "Size of the gadget."), AGE_COLUMN], (gadget) => [
    gadget.spec.size ?? 0,
  ]),
  fieldLabels: fieldLabels({ ...NAME_FIELDS, ...fieldsAt("spec.color") }),
});
