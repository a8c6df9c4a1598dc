import { stringifyJson } from "@levelset/core/internal";
import type { Clock } from "@levelset/core";
import { badRequestError, resourceApiVersion } from "../resource/index.ts";
import type { Resource } from "../resource/index.ts";
import type { VersionedObject } from "../registry/index.ts";
import { notAcceptable } from "./request/negotiation.ts";
import type { ResponseFormat } from "./request/negotiation.ts";

/** Metadata of a list. */
export interface ListMeta {
  readonly resourceVersion: string;
  readonly continue?: string;
  readonly remainingItemCount?: number;
}

/** Encodes objects in the requested representation. */
export interface ResponseEncoder {
  object(view: VersionedObject): string;
  /** Returns the list as one text, or in chunks. */
  list(views: readonly VersionedObject[], meta: ListMeta): string | readonly string[];
  /** Returns the object of a watch event. */
  event(view: VersionedObject): string;
  /**
   * Encoders with the same key encode events identically, so that all watchers share the bytes. Absent: not shared.
   */
  readonly cacheKey?: string;
  /** Returns the object of a BOOKMARK, which carries only a revision. */
  bookmark(resourceVersion: string, annotations?: Readonly<Record<string, string>>): string;
}

/** Options of {@link createResponseEncoder}. */
export interface ResponseEncoderOptions {
  readonly format: ResponseFormat;
  readonly resource: Resource;
  /** The includeObject parameter of table requests. */
  readonly includeObject: string;
  readonly clock: Clock;
}

const INCLUDE = ["", "Metadata", "Object", "None"];

/** Returns the encoder for a request. Throws BadRequest for an unknown includeObject. */
export function createResponseEncoder(options: ResponseEncoderOptions): ResponseEncoder {
  switch (options.format.kind) {
    case "object":
      return cachedObjectEncoder(options.resource);
    case "partial":
      return partialEncoder(options, options.format);
    case "table":
      return tableEncoder(options, options.format.version);
  }
}

/** Cached per resource, because nearly every request needs one. */
const objectEncoders = new WeakMap<Resource, ResponseEncoder>();

function cachedObjectEncoder(resource: Resource): ResponseEncoder {
  const known = objectEncoders.get(resource) ?? objectEncoder(resource);
  objectEncoders.set(resource, known);
  return known;
}

function objectEncoder(resource: Resource): ResponseEncoder {
  const apiVersion = resourceApiVersion(resource);
  const head = stringifyJson({ kind: resource.listKind, apiVersion }).slice(0, -1);
  const type = `{"apiVersion":"${apiVersion}","kind":"${resource.kind}",`;
  return {
    object: (view) => view.json,
    // Items reuse the text that was encoded when they were written.
    list: (views, meta) => {
      const items = views.map((view, index) => {
        const item = resource.isCustom ? view.json : withoutType(view, type);
        return index === 0 ? item : `,${item}`;
      });
      return [`${head},"metadata":${stringifyJson(meta)},"items":[`, ...items, "]}"];
    },
    event: (view) => view.json,
    cacheKey: "object",
    bookmark: (resourceVersion, annotations) =>
      stringifyJson({ kind: resource.kind, apiVersion, metadata: bookmarkMeta(resourceVersion, annotations) }),
  };
}

/** Items of built-in lists omit apiVersion and kind. */
function withoutType(view: VersionedObject, type: string): string {
  if (view.json.startsWith(type)) return `{${view.json.slice(type.length)}`;
  const { apiVersion: _a, kind: _k, ...rest } = view.object;
  return stringifyJson(rest);
}

function bookmarkMeta(resourceVersion: string, annotations?: Readonly<Record<string, string>>): unknown {
  return { resourceVersion, creationTimestamp: null, ...(annotations === undefined ? {} : { annotations }) };
}

function partial(view: VersionedObject, apiVersion: string): unknown {
  return { kind: "PartialObjectMetadata", apiVersion, metadata: view.object.metadata };
}

function partialEncoder(
  { resource }: ResponseEncoderOptions,
  format: Extract<ResponseFormat, { kind: "partial" }>,
): ResponseEncoder {
  const apiVersion = `meta.k8s.io/${format.version}`;
  const event = (view: VersionedObject): string => stringifyJson(partial(view, apiVersion));
  return {
    object: (view) => {
      if (format.of === "one") return event(view);
      throw notAcceptable(
        `you requested PartialObjectMetadataList, but the requested object is not a list (${resource.kind})`,
      );
    },
    event,
    cacheKey: `partial/${format.version}`,
    list: (views, metadata) => {
      if (format.of === "one") {
        throw notAcceptable(
          `you requested PartialObjectMetadata, but the requested object is a list (${resource.listKind})`,
        );
      }
      const items = views.map((view) => partial(view, apiVersion));
      return stringifyJson({ kind: "PartialObjectMetadataList", apiVersion, metadata, items });
    },
    bookmark: (resourceVersion, annotations) =>
      stringifyJson({
        kind: "PartialObjectMetadata",
        apiVersion,
        metadata: bookmarkMeta(resourceVersion, annotations),
      }),
  };
}

function tableEncoder(options: ResponseEncoderOptions, version: "v1" | "v1beta1"): ResponseEncoder {
  if (!INCLUDE.includes(options.includeObject)) {
    throw badRequestError(
      `Unable to convert to Table as requested: includeObject: Invalid value: ${JSON.stringify(options.includeObject)}: ` +
        "must be 'Metadata', 'Object', 'None', or empty",
    );
  }
  const apiVersion = `meta.k8s.io/${version}`;
  const { printer } = options.resource;
  // Only the first event of a watch carries the column definitions.
  let isHeadSent = false;
  const row = (view: VersionedObject): unknown => {
    const conditions = printer.conditions?.(view.object) ?? [];
    return {
      cells: printer.cells(view.object, options.clock.now()),
      ...(conditions.length === 0 ? {} : { conditions }),
      ...rowObject(view, options.includeObject, apiVersion),
    };
  };
  const table = (views: readonly VersionedObject[], metadata: unknown, withHead: boolean): string =>
    stringifyJson({
      kind: "Table",
      apiVersion,
      metadata,
      columnDefinitions: withHead ? printer.columns : null,
      rows: views.map(row),
    });
  const metaOf = (view: VersionedObject): ListMeta => ({ resourceVersion: view.object.metadata.resourceVersion });
  return {
    object: (view) => table([view], metaOf(view), true),
    list: (views, meta) => table(views, meta, true),
    event: (view) => {
      const withHead = !isHeadSent;
      isHeadSent = true;
      return table([view], metaOf(view), withHead);
    },
    // In tables, the bookmark is the object of an otherwise empty row.
    bookmark: (resourceVersion, annotations) =>
      stringifyJson({
        kind: "Table",
        apiVersion,
        metadata: { resourceVersion },
        columnDefinitions: null,
        rows: [
          {
            cells: printer.columns.map(() => null),
            object: {
              kind: "PartialObjectMetadata",
              apiVersion,
              metadata: bookmarkMeta(resourceVersion, annotations),
            },
          },
        ],
      }),
  };
}

function rowObject(view: VersionedObject, includeObject: string, apiVersion: string): { readonly object: unknown } {
  if (includeObject === "None") return { object: null };
  return { object: includeObject === "Object" ? view.object : partial(view, apiVersion) };
}
