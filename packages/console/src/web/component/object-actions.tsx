import type { JSX } from "preact";
import type { ObjectDocument } from "../../api/index.ts";
import { ActionButton, EditButton } from "./action-button.tsx";
import { DeletionPreview } from "./deletion-preview.tsx";
import { escapeInvisible } from "../format.ts";

/** Actions of an object. */
export function ObjectActions({ page }: { readonly page: ObjectDocument }): JSX.Element {
  const { apiVersion, kind, namespace, name } = page.node;
  const { editable, editRefusal, finalizers, uid = "" } = page;
  const object = { apiVersion, kind, name, ...(namespace === undefined ? {} : { namespace }) };
  const children = page.related.filter(({ relation }) => relation === "child");
  return (
    <div class="actions">
      {editable === undefined ? null : (
        <EditButton
          question={`Edit ${kind} ${name}`}
          text={editable}
          action={(base, yaml) => ({ kind: "edit", object, base, yaml })}
        />
      )}
      <ActionButton
        label="Delete"
        question={`Delete ${kind} ${name}?`}
        isDangerous
        action={() => ({ kind: "delete", object, uid })}
      >
        <DeletionPreview text="Its children are deleted with it:" refs={children} />
        {finalizers.length === 0 ? null : (
          <p class="aside">{`Deletion waits for these finalizers: ${escapeInvisible(finalizers.join(", "))}`}</p>
        )}
      </ActionButton>
      {editRefusal === undefined ? null : <span class="aside">{`Cannot be edited here: ${editRefusal}.`}</span>}
    </div>
  );
}
