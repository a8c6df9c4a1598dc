import { StatusError } from "@levelset/core";
import type { StatusDetails } from "@levelset/core";

/** What a failure is about, as far as names go. */
export interface Subject {
  readonly group: string;
  readonly plural: string;
}

function qualified(subject: Subject): string {
  return subject.group === "" ? subject.plural : `${subject.plural}.${subject.group}`;
}

function details(subject: Subject, name: string): StatusDetails {
  return { name, ...(subject.group === "" ? {} : { group: subject.group }), kind: subject.plural };
}

/** 404: no object of that name. */
export function notFound(subject: Subject, name: string): StatusError {
  const message = `${qualified(subject)} "${name}" not found`;
  return new StatusError("NotFound", message, { details: details(subject, name) });
}

/** 500: the object exists, but its stored version cannot be read. Not 404: clients must not take it for absent. */
export function unreadable(subject: Subject, name: string, revision: number): StatusError {
  const why = `the stored version (revision ${revision}) is damaged and in quarantine; run: levelset apiserver check --data FILE`;
  const message = `${qualified(subject)} "${name}" cannot be read: ${why}`;
  return new StatusError("InternalError", message, {
    details: { ...details(subject, name), causes: [{ message: why }] },
  });
}

/** 404: no such path among the served resources. */
export function noSuchResource(): StatusError {
  return new StatusError("NotFound", "the server could not find the requested resource", { details: {} });
}

/** 409: the name is taken. */
export function alreadyExists(subject: Subject, name: string): StatusError {
  const message = `${qualified(subject)} "${name}" already exists`;
  return new StatusError("AlreadyExists", message, { details: details(subject, name) });
}

/** 409: the writer's copy is old, or a precondition does not hold. */
export function conflict(subject: Subject, name: string, why: string): StatusError {
  const message = `Operation cannot be fulfilled on ${qualified(subject)} "${name}": ${why}`;
  return new StatusError("Conflict", message, { details: details(subject, name) });
}

/** What a conflict says when the resourceVersion is not the latest. */
export const STALE: string =
  "the object has been modified; please apply your changes to the latest version and try again";

/** 403: an admission rule says no. */
export function forbidden(
  subject: Subject,
  name: string,
  why: string,
  causes?: NonNullable<StatusDetails["causes"]>,
): StatusError {
  const message = `${qualified(subject)} "${name}" is forbidden: ${why}`;
  return new StatusError("Forbidden", message, {
    details: { ...details(subject, name), ...(causes === undefined ? {} : { causes }) },
  });
}

/** 400: the request cannot be understood. */
export function badRequest(message: string): StatusError {
  return new StatusError("BadRequest", message);
}

/** 405: the resource is there but does not do this. */
export function methodNotAllowed(): StatusError {
  return new StatusError("MethodNotAllowed", "the server does not allow this method on the requested resource", {
    details: {},
  });
}

/** 403: the declaration of the kind is about to go, so nothing new comes. */
export function terminatingKind(subject: Subject): StatusError {
  const why = "create not allowed while custom resource definition is terminating";
  const details = { group: subject.group, kind: subject.plural };
  return new StatusError("Forbidden", `${qualified(subject)} is forbidden: ${why}`, { details });
}

/** 500: what is stored cannot be shown as asked. */
export function internal(why: string): StatusError {
  return new StatusError("InternalError", `Internal error occurred: ${why}`, {
    details: { causes: [{ message: why }] },
  });
}

/** 406: only a webhook could show the object in this version, and webhooks are not called. */
export function unconvertible(subject: Subject & { readonly version: string; readonly kind: string }): StatusError {
  const { group, version, kind } = subject;
  const message =
    `conversion webhook for ${group}/${version}, Kind=${kind} failed: this server does not call conversion webhooks; ` +
    "use the storage version of the kind";
  return new StatusError("NotAcceptable", message);
}
