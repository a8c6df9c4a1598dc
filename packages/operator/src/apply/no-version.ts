/**
 * No object ever has this version. A server-side apply that names it creates, and is refused as a conflict where something is there:
 * what a POST does, with the fields owned as by an apply, so that a later one can take them back.
 */
export const NO_VERSION = "9223372036854775807";
