import type { JSX } from "preact";
import type { ObjectDocument } from "../api/index.ts";
import { ActionButton, EditButton } from "./confirm.tsx";
import { GoesAlong } from "./goes-along.tsx";
import { visible } from "./words.ts";

/** What can be done with an object. */
export function ObjectActions({ page }: { readonly page: ObjectDocument }): JSX.Element {
  const { apiVersion, kind, namespace, name } = page.node;
  const { editable, uneditable, finalizers, uid = "" } = page;
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
        <GoesAlong words="What it made is deleted with it:" refs={children} />
        {finalizers.length === 0 ? null : (
          <p class="aside">{`It stays until these have cleaned up: ${visible(finalizers.join(", "))}`}</p>
        )}
      </ActionButton>
      {uneditable === undefined ? null : <span class="aside">{`Not to be edited here: ${uneditable}.`}</span>}
    </div>
  );
}
