/**
 * A resourceVersion that no object has. A server-side apply with it creates the object, or fails with Conflict if one
 * exists. Unlike with POST, the fields are owned as by an apply, so that a later apply can remove them.
 */
export const UNMATCHED_RESOURCE_VERSION = "9223372036854775807";
