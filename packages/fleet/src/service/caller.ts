import type { TextMap } from "../resource/index.ts";
import { EVERY_TENANT } from "../store/index.ts";
import type { TenantScope } from "../store/index.ts";

/** The authenticated caller. */
export interface Caller {
  /** Recorded in `created_by` and the audit log. */
  readonly identity: string;
  /** The resources that the caller may see. */
  readonly scope: TenantScope;
  /** The tenancy of resources that the caller creates. */
  readonly tenancy: TextMap;
  /** Whether this is a system caller above all tenants: it reads everything and writes only statuses. */
  readonly isSystem: boolean;
  /** The adapters that the caller may report as; undefined for any. */
  readonly adapters?: readonly string[];
  readonly requestId: string;
}

/** The identity of callers without authentication. */
export const LOCAL_IDENTITY = "system@hyperfleet.local";

/** Returns the caller for a fleet without authentication and tenants. */
export function localCaller(requestId: string): Caller {
  return { identity: LOCAL_IDENTITY, scope: EVERY_TENANT, tenancy: {}, isSystem: false, requestId };
}
