import { StatusError } from "@levelset/core";
import type { StatusDetails } from "@levelset/core";

/** Group and resource in an error. */
export interface GroupResource {
  readonly group: string;
  readonly plural: string;
}

function qualified(subject: GroupResource): string {
  return subject.group === "" ? subject.plural : `${subject.plural}.${subject.group}`;
}

function details(subject: GroupResource, name: string): StatusDetails {
  return { name, ...(subject.group === "" ? {} : { group: subject.group }), kind: subject.plural };
}

/** 404: the object does not exist. */
export function notFoundError(subject: GroupResource, name: string): StatusError {
  const message = `${qualified(subject)} "${name}" not found`;
  return new StatusError("NotFound", message, { details: details(subject, name) });
}

/** 500: the stored version is damaged. Not 404, because clients must not treat the object as deleted. */
export function unreadable(subject: GroupResource, name: string, revision: number): StatusError {
  const why = `the stored version (revision ${revision}) is damaged and in quarantine; run: levelset apiserver check --data FILE`;
  const message = `${qualified(subject)} "${name}" cannot be read: ${why}`;
  return new StatusError("InternalError", message, {
    details: { ...details(subject, name), causes: [{ message: why }] },
  });
}

/** 404: the resource is not served. */
export function noSuchResourceError(): StatusError {
  return new StatusError("NotFound", "the server could not find the requested resource", { details: {} });
}

/** 409: the name already exists. */
export function alreadyExistsError(subject: GroupResource, name: string): StatusError {
  const message = `${qualified(subject)} "${name}" already exists`;
  return new StatusError("AlreadyExists", message, { details: details(subject, name) });
}

/** 409: the resourceVersion is outdated, or a precondition does not hold. */
export function conflictError(subject: GroupResource, name: string, why: string): StatusError {
  const message = `Operation cannot be fulfilled on ${qualified(subject)} "${name}": ${why}`;
  return new StatusError("Conflict", message, { details: details(subject, name) });
}

/** Message of a conflict when the resourceVersion is outdated. */
export const OPTIMISTIC_LOCK_MESSAGE: string =
  "the object has been modified; please apply your changes to the latest version and try again";

/** 403: rejected by an admission rule. */
export function forbiddenError(
  subject: GroupResource,
  name: string,
  why: string,
  causes?: NonNullable<StatusDetails["causes"]>,
): StatusError {
  const message = `${qualified(subject)} "${name}" is forbidden: ${why}`;
  return new StatusError("Forbidden", message, {
    details: { ...details(subject, name), ...(causes === undefined ? {} : { causes }) },
  });
}

/** 400: the request is malformed. */
export function badRequestError(message: string): StatusError {
  return new StatusError("BadRequest", message);
}

/** 405: the resource does not support the method. */
export function methodNotAllowedError(): StatusError {
  return new StatusError("MethodNotAllowed", "the server does not allow this method on the requested resource", {
    details: {},
  });
}

/** 403: create while the CustomResourceDefinition is being deleted. */
export function terminatingKindError(subject: GroupResource): StatusError {
  const why = "create not allowed while custom resource definition is terminating";
  const details = { group: subject.group, kind: subject.plural };
  return new StatusError("Forbidden", `${qualified(subject)} is forbidden: ${why}`, { details });
}

/** Returns the error for a create in a namespace that is being deleted. */
export function terminatingNamespaceError(subject: GroupResource, name: string, namespace: string): StatusError {
  const message = `namespace ${namespace} is being terminated`;
  const text = `unable to create new content in namespace ${namespace} because it is being terminated`;
  return forbiddenError(subject, name, text, [
    { reason: "NamespaceTerminating", message, field: "metadata.namespace" },
  ]);
}

/** 500: internal error. */
export function internalError(why: string): StatusError {
  return new StatusError("InternalError", `Internal error occurred: ${why}`, {
    details: { causes: [{ message: why }] },
  });
}

/** 406: the version needs a conversion webhook, and this server does not call webhooks. */
export function unconvertibleError(
  subject: GroupResource & { readonly version: string; readonly kind: string },
): StatusError {
  const { group, version, kind } = subject;
  const message =
    `conversion webhook for ${group}/${version}, Kind=${kind} failed: this server does not call conversion webhooks; ` +
    "use the storage version of the kind";
  return new StatusError("NotAcceptable", message);
}
