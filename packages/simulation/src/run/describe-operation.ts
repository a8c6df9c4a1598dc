import { canonicalJson, unreachable } from "@levelset/core/internal";
import { formatId, idOf } from "../history/index.ts";
import type { ChangeKind, Manifest, Operation } from "../history/index.ts";

const TEXT_MAX = 160;
/** What a change is called after the new content, if that does not say it. */
const CHANGES: Readonly<Record<ChangeKind, string>> = {
  valid: "",
  changed: "",
  version: "",
  boundary: " (a limit of the schema)",
  invalid: " (invalid)",
  removed: " (a field removed)",
  restored: " (as before)",
};

/** Describes an operation: `a user creates Simple default/a {"divisor":5}`. */
export function describeOperation(operation: Operation): string {
  switch (operation.do) {
    case "create":
      return `a user creates ${formatId(idOf(operation.object))} ${contentOf(operation.object)}`;
    case "create-foreign":
      return `another client creates ${formatId(idOf(operation.object))} ${labelsOf(operation.object)}`;
    case "change":
      return `a user changes ${formatId(idOf(operation.object))} to ${contentOf(operation.object)}${CHANGES[operation.how]}`;
    case "delete":
      return `a user deletes ${formatId(operation.id)}`;
    case "delete-child":
      return `a person deletes the child ${targetOf(operation.target)}`;
    case "edit-child":
      return `another client ${operation.edit === "annotate" ? "annotates" : "edits"} the child ${targetOf(operation.target)}${operation.edit === "change-field" ? ` with ${short(canonicalJson(operation.patch ?? {}))}` : ""}`;
    case "lose-pods":
      return "all pods are lost";
    case "restart":
      return "the process is restarted";
    case "downtime":
      return `no process runs for ${operation.ms / 1000} s`;
    case "step-clock":
      return `the wall clock steps ${operation.ms < 0 ? "back" : "forward"} by ${Math.abs(operation.ms) / 1000} s`;
    case "pass-time":
      return "time passes";
    default:
      return unreachable(operation);
  }
}

function targetOf(target: Parameters<typeof formatId>[0] | undefined): string {
  return target === undefined ? "(none exists)" : formatId(target);
}

function contentOf(object: Manifest): string {
  if (object.kind === "Secret") return "";
  const { apiVersion: _a, kind: _k, metadata: _m, ...fields } = object;
  const { spec } = fields;
  return short(canonicalJson(spec ?? fields));
}

function labelsOf({ metadata: { labels } }: Manifest): string {
  return labels === undefined ? "with the name of a child" : `with the labels ${short(canonicalJson(labels))}`;
}

function short(text: string): string {
  return text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX - 3)}...` : text;
}
