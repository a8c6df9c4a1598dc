import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import type { ObjectDocument } from "../api/index.ts";
import { ActionButton } from "./confirm.tsx";

/** What can be done with an object. */
export function ObjectActions({ page }: { readonly page: ObjectDocument }): JSX.Element {
  const { apiVersion, kind, namespace, name } = page.node;
  const object = { apiVersion, kind, name, ...(namespace === undefined ? {} : { namespace }) };
  const text = useRef<HTMLTextAreaElement>(null);
  return (
    <p class="actions">
      {page.isMasked ? null : (
        <ActionButton
          label="Edit"
          question={`Edit ${kind} ${name}`}
          action={() => ({ kind: "edit", object, yaml: text.current?.value ?? "" })}
        >
          <textarea
            ref={text}
            aria-label="YAML"
            spellcheck={false}
            rows={24}
            defaultValue={page.yaml.map((line) => line.text).join("\n")}
          />
        </ActionButton>
      )}
      <ActionButton
        label="Delete"
        question={`Delete ${kind} ${name}?`}
        isDangerous
        action={() => ({ kind: "delete", object })}
      />
    </p>
  );
}
