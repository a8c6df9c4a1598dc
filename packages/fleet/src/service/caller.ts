import type { TextMap } from "../resource/index.ts";
import { EVERY_TENANT } from "../store/index.ts";
import type { TenantScope } from "../store/index.ts";

/** Who calls, as authentication found out. */
export interface Caller {
  /** Goes into `created_by` and the audit. */
  readonly identity: string;
  /** What it may see. */
  readonly scope: TenantScope;
  /** Stamped onto what it creates. */
  readonly tenancy: TextMap;
  /** Where there are tenants, a caller above them: it reads everything and writes nothing but statuses. */
  readonly isSystem: boolean;
  /** The adapters whose reports it may send; undefined for any. */
  readonly adapters?: readonly string[];
  readonly requestId: string;
}

/** How a caller is named where nobody has to say who they are. */
export const LOCAL_IDENTITY = "system@hyperfleet.local";

/** The caller where there is neither authentication nor tenants. */
export function localCaller(requestId: string): Caller {
  return { identity: LOCAL_IDENTITY, scope: EVERY_TENANT, tenancy: {}, isSystem: false, requestId };
}
